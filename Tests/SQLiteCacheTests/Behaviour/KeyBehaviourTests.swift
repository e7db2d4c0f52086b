import Foundation
import LibraryFiles
import Models
import Store
import TestSupport
import Testing
import Workers

@testable import PostgresStore
@testable import SQLiteCache

/// The key pair of a library, in every store that keeps one.
struct KeyBehaviourTests {
  private typealias Subject = StoreBehaviourTests.Subject
  private typealias Store = ChangeFollowing & LibraryKeyKeeping & LibraryCopying

  private func store(_ subject: Subject) throws -> any Store {
    try #require(subject.store as? any Store)
  }

  private func key(_ subject: Subject) async throws -> LibraryKey? {
    try await store(subject).signer()?.key
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `is made when it is first needed, and stays`(kind: StoreBehaviourTests.Kind) async throws {
    let subject = try Subject(kind, isNew: true)
    #expect(try await key(subject) == nil)
    try await subject.sync([.sample("a")])
    #expect(try store(subject).storedKey() == nil)

    let made = try await key(subject)

    #expect(made != nil)
    #expect(try await key(subject) == made)
    #expect(try await key(subject.reopened()) == made)
    #expect(try store(subject).storedKey()?.key == made)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `programs that need it at once get the same one`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let subject = try Subject(kind)
    try await subject.sync([.sample("a")])
    let programs = try (0..<6).map { _ in try store(subject.reopened()) }

    let keys = try await withThrowingTaskGroup(of: LibraryKey?.self) { group in
      for program in programs { group.addTask { try await program.signer()?.key } }
      return try await group.reduce(into: Set<LibraryKey?>()) { $0.insert($1) }
    }

    #expect(keys.count == 1 && !keys.contains(nil))
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases, StoreBehaviourTests.Kind.allCases)
  func `a copy of the library has it, and the library keeps it`(
    kind: StoreBehaviourTests.Kind,
    other: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, copy) = (try Subject(kind), try Subject(other))
    try await origin.sync([.sample("a")])
    try await origin.copy(to: copy)
    #expect(try store(copy).storedKey() == nil)
    let made = try await key(origin)

    try await origin.copy(to: copy)

    #expect(try await key(copy) == made)
    #expect(try await key(copy.reopened()) == made)
    #expect(try await key(origin) == made)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `an empty library that becomes a copy loses its own`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, copy) = (try Subject(.sqlite), try Subject(kind))
    try await origin.sync([.sample("a")])
    try await copy.sync([.sample("b")])
    _ = try await copy.store.removeFeed(id: 1, purging: true)
    let own = try await key(copy)

    try await origin.copy(to: copy)

    #expect(try store(copy).storedKey() == nil)
    #expect(try await key(copy) != own)
  }

  @Test(arguments: StoreBehaviourTests.Kind.allCases)
  func `a copy comes over the files of a library whose database is lost`(
    kind: StoreBehaviourTests.Kind
  ) async throws {
    let (origin, copy) = (try Subject(.sqlite), try Subject(kind, isNew: true))
    try await origin.sync([.sample("a")])
    let folder = LibraryFolder(copy.files.path)
    try folder.make()
    try Data("a note".utf8).write(to: URL(filePath: folder.key))

    try await origin.copy(to: copy)

    #expect(try await copy.store.feeds().count == 1)
    // The key of another library is not lost.
    let path = folder.key + (kind == .sqlite ? ".former" : "")
    #expect(FileManager.default.contents(atPath: path) == Data("a note".utf8))
  }

  // MARK: The file of a folder

  private func expectUnusable(_ library: TemporaryLibrary, _ reason: String) async {
    do throws(StoreError) {
      _ = try await library.library.signer()
      Issue.record("it can be used")
    } catch {
      #expect(error.reason == .unusableKey && error.path.hasSuffix("/library.key"))
      #expect(error.message == reason)
    }
  }

  @Test func `a key that is lost or replaced is not made again`() async throws {
    let library = try TemporaryLibrary()
    try await library.sync([.sample("a")])
    let key = try #require(try await library.library.signer())
    let file = KeyFile(in: LibraryFolder(library.path))

    try FileManager.default.removeItem(atPath: file.path)
    await expectUnusable(library, "it is missing")
    #expect(!FileManager.default.fileExists(atPath: file.path))

    let uuid = try await library.library.version().library
    try file.write(SigningKey.random(), library: uuid)
    await expectUnusable(library, "it is not the key that the library has used before")

    try file.write(key, library: uuid)
    #expect(try await library.library.signer()?.key == key.key)
  }

  @Test func `a backup of the database from before takes the key that is in the folder`()
    async throws
  {
    let library = try TemporaryLibrary()
    try await library.sync([.sample("a")])
    let key = try #require(try await library.library.signer())

    try library.execute("DELETE FROM setting WHERE name = 'public_key'")

    #expect(try await library.library.signer()?.key == key.key)
    #expect(try library.numbers("SELECT count(*) FROM setting WHERE name = 'public_key'") == [1])
  }
}
