import Testing
import Workers

@testable import Scenes
@testable import Terminal

struct StatusLineTests {
  private struct Sink: ByteSink {
    let texts = Locked<[String]>([])

    func write(_ bytes: [UInt8]) {
      texts.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
    }
  }

  @Test func `keeps to the window, however wide it has become`() {
    let sink = Sink()
    var columns = 80
    let statusLine = StatusLine(sink: sink) { columns }

    statusLine.draw(ProgressLine(fraction: nil, text: "12 of 34 thumbnails"))
    columns = 8
    statusLine.draw(ProgressLine(fraction: nil, text: "12 of 34 thumbnails"))

    #expect(
      sink.texts.withLock { $0 } == ["\r\u{1B}[K12 of 34 thumbnails", "\r\u{1B}[K12 of …"]
    )
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
    var content = ProgressLine(fraction: 0.5, text: "5 of 9, 1 KB, 2 s")
    content.shorter = ["5 of 9, 2 s", "5 of 9"]

    #expect(ProgressBar.line(content, columns: columns) == line)
  }
}
