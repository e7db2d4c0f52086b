import Testing
import Workers

@testable import Terminal

@Suite(.timeLimit(.minutes(1)))
struct StatusLineTests {
  private struct StreamSink: ByteSink {
    let lines: AsyncStream<String>.Continuation

    func write(_ bytes: [UInt8]) { lines.yield(String(decoding: bytes, as: UTF8.self)) }
  }

  @Test func `draws after each pause until the pauses end`() async {
    let (drawn, lines) = AsyncStream.makeStream(of: String.self)
    let pauses = Locked(0)
    let statusLine = StatusLine(
      sink: StreamSink(lines: lines),
      columns: { 80 },
      pause: {
        let count = pauses.withLock { count in
          count += 1
          return count
        }
        guard count <= 3 else {
          lines.finish()
          throw CancellationError()
        }
      }
    )

    statusLine.begin { .init(fraction: nil, text: "pause \(pauses.withLock { $0 })") }

    let all = await drawn.reduce(into: []) { $0.append($1) }
    #expect(all == ["\r\u{1B}[Kpause 1", "\r\u{1B}[Kpause 2", "\r\u{1B}[Kpause 3"])
  }

  @Test func `keeps to the window, however wide it has become`() async {
    let (drawn, lines) = AsyncStream.makeStream(of: String.self)
    let columns = Locked(80)
    let statusLine = StatusLine(
      sink: StreamSink(lines: lines),
      columns: { columns.withLock { $0 } },
      pause: { throw CancellationError() }
    )

    statusLine.begin { .init(fraction: nil, text: "12 of 34 thumbnails") }
    statusLine.draw()
    columns.withLock { $0 = 8 }
    statusLine.draw()
    lines.finish()

    let all = await drawn.reduce(into: []) { $0.append($1) }
    #expect(all == ["\r\u{1B}[K12 of 34 thumbnails", "\r\u{1B}[K12 of …"])
  }
}
