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

struct ProgressBarTests {
  @Test(arguments: [
    (0, "[....................] 5 of 9"), (0.049, "[....................] 5 of 9"),
    (0.05, "[#...................] 5 of 9"), (0.555, "[###########.........] 5 of 9"),
    (1, "[####################] 5 of 9"), (1.5, "[####################] 5 of 9"),
    (-1, "[....................] 5 of 9"),
  ])
  func `fills with what is done`(_ fraction: Double, _ line: String) {
    #expect(ProgressBar.line(.init(fraction: fraction, text: "5 of 9"), columns: 100) == line)
  }

  @Test func `is left out while the whole is unknown`() {
    #expect(ProgressBar.line(.init(fraction: nil, text: "64.0 KB"), columns: 80) == "64.0 KB")
  }

  @Test(arguments: [
    (100, "[##########..........] 5 of 9"), (40, "[####....] 5 of 9"), (17, "[#..] 5 of 9"),
    (10, "[#.] 5 o…"), (4, "[]…"),
  ])
  func `is short in a narrow window, whose last column stays free, so that it never wraps`(
    _ columns: Int,
    _ line: String
  ) {
    #expect(ProgressBar.line(.init(fraction: 0.5, text: "5 of 9"), columns: columns) == line)
  }

  @Test(arguments: [
    (26, "[##...] 5 of 9, 1 KB, 2 s"), (25, "[##...] 5 of 9, 2 s"), (16, "[#..] 5 of 9"),
  ])
  func `says less, in whole parts, where there is less room`(_ columns: Int, _ line: String) {
    let content = StatusLine.Content(
      fraction: 0.5,
      text: "5 of 9, 1 KB, 2 s",
      shorter: ["5 of 9, 2 s", "5 of 9"]
    )

    #expect(ProgressBar.line(content, columns: columns) == line)
  }
}
