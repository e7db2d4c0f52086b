import Models
import Testing
import Workers

@testable import CurlNetwork

struct BodyBufferTests {
  private func buffer() throws -> BodyBuffer {
    let address = try #require(WebAddress("http://a.b/c"))
    return BodyBuffer(for: NetworkRequest(address: address, reach: .anywhere, byteLimit: 100))
  }

  @Test func `has something for its reader when bytes have come that nobody has taken`() throws {
    let buffer = try buffer()
    let before = buffer.hasNext
    _ = [1, 2].withUnsafeBytes { buffer.append($0) }
    let between = buffer.hasNext
    _ = buffer.take()

    #expect([before, between, buffer.hasNext] == [false, true, false])
  }

  @Test(arguments: [true, false])
  func `has the end for its reader, however it came`(isWhole: Bool) throws {
    let buffer = try buffer()
    let error = NetworkError(reason: .other, address: buffer.address, message: "")

    buffer.finish(isWhole ? .success(()) : .failure(error))

    #expect(buffer.hasNext)
  }
}
