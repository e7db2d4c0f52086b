import Testing

@testable import FeedFormats

struct ScrubberTests {
  @Test(
    arguments: [
      ("plain text\n\r\t, and ü€😀", [], ""),
      ("stray ", [0xE9, 0x20, 0x93], "é “"),
      ("cut ", [0xE2, 0x82, 0x20], "\u{FFFD} "),
      ("overlong ", [0xC0, 0x80], "À€"),
      ("half a pair ", [0xED, 0xA0, 0x80], "\u{FFFD}"),
      ("controls ", [0x00, 0x1B, 0x0B, 0x41], "   A"),
      ("of Windows ", [0xC2, 0x92, 0xC2, 0x85, 0xC2, 0x81], "’…\u{FFFD}"),
      ("no characters ", [0xEF, 0xBF, 0xBE, 0xEF, 0xBF, 0xBF], "\u{FFFD}\u{FFFD}"),
      ("unfinished", [0xE2, 0x82], ""),
    ] as [(String, [UInt8], String)]
  )
  func `makes sound text of any bytes`(lead: String, bytes: [UInt8], text: String) {
    for chunk in 1...9 {
      #expect(scrubbed(Array(lead.utf8) + bytes, chunk: chunk) == lead + text)
    }
  }

  @Test func `says what it had to do`() {
    var sound = Scrubber()
    var stray = Scrubber()
    var control = Scrubber()

    _ = sound.scrub(Array("ü".utf8) + [0xC2, 0x92])
    _ = stray.scrub([0xFC])
    _ = control.scrub([0x07])

    #expect([sound.hasMended, stray.hasMended, control.hasMended] == [false, true, false])
    #expect([sound.hasControls, stray.hasControls, control.hasControls] == [false, false, true])
  }

  private func scrubbed(_ bytes: [UInt8], chunk: Int) -> String {
    var scrubber = Scrubber()
    var output: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      output += scrubber.scrub(Array(rest.prefix(chunk)))
      rest = rest.dropFirst(chunk)
    }
    return String(decoding: output, as: UTF8.self)
  }
}
