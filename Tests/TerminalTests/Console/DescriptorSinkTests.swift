import Dispatch
import Glibc
import Scenes
import Testing
import Workers

@testable import Terminal

@Suite(.timeLimit(.minutes(60)))
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

  @Test func `tells that the reader is gone`() throws {
    let (reader, writer) = try makePipe()
    signal(SIGPIPE, SIG_IGN)
    close(reader)
    // A program that another test is just starting has a copy of the reader for a moment.
    var poll = pollfd(fd: writer, events: 0, revents: 0)
    while Glibc.poll(&poll, 1, -1) < 0 && errno == EINTR {}

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

  /// Reads to the end on another thread, because both ends block.
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

struct HarmlessTextTests {
  @Test(arguments: [
    "", "plain ASCII ~", "Größe — ½ × 3", "月と海", "👩‍🚀🇮🇸", "e\u{301}", "नमस्ते", "שלום",
    "U+FFFD: \u{FFFD}", "ཧྐྵྨླྺྼྻྂ", "مُحَمَّدٌ", "می‌خواهم", "❤️\u{2060}", "葛\u{E0100}",
  ])
  func `leaves what is only shown`(_ text: String) {
    #expect(HarmlessText.line(text) == text)
  }

  @Test(arguments: [
    ("tab\tnewline\nreturn\r", "tab newline return "),
    ("\u{B}\u{C}\u{85}\u{2028}\u{2029}", "     "),
    ("\u{1B}[31mred\u{1B}[0m", "\u{FFFD}[31mred\u{FFFD}[0m"),
    ("\u{1B}]0;title\u{7}", "\u{FFFD}]0;title\u{FFFD}"),
    ("\u{0}\u{8}\u{7F}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("\u{9B}2J\u{90}", "\u{FFFD}2J\u{FFFD}"),
    ("moon\u{202E}gpj.exe\u{202C}", "moon\u{FFFD}gpj.exe\u{FFFD}"),
    ("\u{2066}a\u{2069}\u{200F}\u{61C}", "\u{FFFD}a\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("\u{FEFF}a\u{FFF9}b\u{E0041}", "\u{FFFD}a\u{FFFD}b\u{FFFD}"),
    ("a\u{206A}b\u{206F}c\u{E00FF}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"),
  ])
  func `replaces what could act on the terminal`(_ text: String, _ line: String) {
    #expect(HarmlessText.line(text).unicodeScalars.elementsEqual(line.unicodeScalars))
  }

  @Test(arguments: ["\u{301}", "\u{FE0F}", "\u{E0101}", "\u{20DD}", "\u{301}\u{200D}"])
  func `leaves out what would pile up on a letter`(mark: String) {
    let stack = String(repeating: mark, count: 500)

    let line = HarmlessText.line("a\(stack)b\(mark)")

    let marks = line.unicodeScalars.count { $0.properties.generalCategory != .format } - 2
    #expect(marks == 11)
    #expect(line.unicodeScalars.contains("b"))
    #expect(line.unicodeScalars.reversed().starts(with: mark.unicodeScalars.reversed()))
  }
}
