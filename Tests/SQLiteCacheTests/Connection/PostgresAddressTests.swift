import Store
import Testing
import Workers

@testable import PostgresStore

/// What messages say about the address of a database.
struct PostgresAddressTests {
  @Test(arguments: [
    "hun%ter2", "hunter2/x", "hunter2?x", "1/hunter2", "1?hunter2", "x@hunter2", "hunter2@[::1",
  ])
  func `no part of a password that cannot be read is said`(password: String) async throws {
    let address = try #require(PostgresAddress("postgresql://me:\(password)@127.0.0.1:1/p?x=1"))
    let library = PostgresLibrary(address, folder: "/nowhere")

    let error = await #expect(throws: StoreError.self) { try await library.feeds() }

    #expect(!"\(try #require(error))".contains("hun"))
    #expect(!address.name.contains("hun"))
    #expect(address.name.hasPrefix("postgresql://me@"))
  }

  @Test(arguments: ["postgresql://127.0.0.1/p?x=1", "postgresql://127.0.0.1:port/p"])
  func `an address that cannot be read is no place for a library`(address: String) async throws {
    let library = PostgresLibrary(try #require(PostgresAddress(address)), folder: "/nowhere")

    let error = await #expect(throws: StoreError.self) { try await library.feeds() }

    #expect(error?.reason == .unusablePlace)
  }

  @Test(arguments: [
    ("postgresql://me:s3cret@[::1]:5433,db.example:5434/p?x=y", "me@[::1]:5433,db.example:5434/p"),
    ("postgresql://[::1]:5433/p", "[::1]:5433/p"), ("postgresql://me@/p", "me@/p"),
    ("postgresql:///p?password=a@b", "/p"), ("postgresql://db.example/a@b", "db.example/a@b"),
  ])
  func `messages name the user, the servers and the database`(
    address: String,
    name: String
  ) throws {
    #expect(try #require(PostgresAddress(address)).name == "postgresql://\(name)")
  }
}
