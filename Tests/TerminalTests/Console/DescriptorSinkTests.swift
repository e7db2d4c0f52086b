import Dispatch
import Glibc
import Testing
import Workers

@testable import Terminal

@Suite(.timeLimit(.minutes(1)))
struct DescriptorSinkTests {
  private let closed = Locked(0)

  @Test func `writes everything, however the system cuts it`() async throws {
    let (reader, writer) = try makePipe()
    #expect(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
    async let read = everything(from: reader)

    sink(writer).write(bytes)
    close(writer)

    #expect(await read == bytes)
    #expect(closed.withLock { $0 } == 0)
  }

  @Test func `tells that nobody reads any more`() throws {
    let (reader, writer) = try makePipe()
    signal(SIGPIPE, SIG_IGN)
    close(reader)

    sink(writer).write([1])
    close(writer)

    #expect(closed.withLock { $0 } == 1)
  }

  private func sink(_ descriptor: Int32) -> DescriptorSink {
    DescriptorSink(descriptor) { [closed] in closed.withLock { $0 += 1 } }
  }

  private func makePipe() throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  /// Reads to the end in a thread of its own, for both ends block.
  private func everything(from descriptor: Int32) async -> [UInt8] {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
          all += buffer[..<count]
        }
        close(descriptor)
        continuation.resume(returning: all)
      }
    }
  }
}
