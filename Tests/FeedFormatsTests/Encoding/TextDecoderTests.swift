import Foundation
import Testing
import Workers

@testable import FeedFormats

struct TextDecoderTests {
  @Test(
    arguments: [
      ("windows-1251", "Привет", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]),
      ("KOI8-R", "Привет", [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4]),
      ("iso-8859-1", "“é”", [0x93, 0xE9, 0x94]),
      ("latin1", "é", [0xE9]),
      ("US-ASCII", "é", [0xE9]),
      ("iso-8859-2", "łód", [0xB3, 0xF3, 0x64]),
      ("ISO-8859-9", "ğ€", [0xF0, 0x80]),
      ("iso-8859-15", "€", [0xA4]),
      ("windows-1255", "שָ", [0xF9, 0xC8]),
      ("tis-620", "ก", [0xA1]),
      ("Shift_JIS", "日本①", [0x93, 0xFA, 0x96, 0x7B, 0x87, 0x40]),
      ("x-sjis", "ｱ", [0xB1]),
      ("EUC-JP", "日本", [0xC6, 0xFC, 0xCB, 0xDC]),
      ("ISO-2022-JP", "日x", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x78]),
      ("EUC-KR", "년똠", [0xB3, 0xE2, 0x8C, 0x63]),
      ("ks_c_5601-1987", "년", [0xB3, 0xE2]),
      ("gb2312", "中丂", [0xD6, 0xD0, 0x81, 0x40]),
      ("GB18030", "中😀", [0xD6, 0xD0, 0x94, 0x39, 0xFC, 0x36]),
      ("big5", "中", [0xA4, 0xA4]),
      (" 'utf8' ", "ü", [0xC3, 0xBC]),
      ("macintosh", "ü", [0x9F]),
      ("cp866", "Пр", [0x8F, 0xE0]),
    ] as [(String, String, [UInt8])]
  )
  func `reads encodings by their labels`(label: String, text: String, bytes: [UInt8]) {
    let head = Array("<a>".utf8)

    for chunk in 1...4 {
      #expect(decoded(head + bytes, charset: label, chunk: chunk) == Decoded("<a>" + text))
    }
    #expect(decoded(declaring(label, head + bytes)).text.hasSuffix("<a>" + text))
  }

  @Test(arguments: [
    String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
  ])
  func `tells wide encodings by their marks and zeros`(_ encoding: String.Encoding) throws {
    for text in ["<a>ü😀</a>", "[\"ü😀\"]", "\n {\"a\":1}"] {
      let bytes = try #require(text.data(using: encoding))
      let marked = try #require(("\u{FEFF}" + text).data(using: encoding))
      for chunk in [1, 3, 1000] {
        #expect(decoded(Array(bytes), chunk: chunk) == Decoded(text))
        #expect(decoded(Array(marked), charset: "gbk", chunk: chunk) == Decoded(text))
      }
    }
  }

  @Test func `believes the mark, then the charset, then the declaration`() {
    let e: [UInt8] = [0xE9]

    #expect(decoded(declaring("koi8-r", e), charset: "latin1").text.hasSuffix("é"))
    #expect(decoded(declaring("koi8-r", e)).text.hasSuffix("И"))
    #expect(decoded(declaring("koi8-r", e), charset: "bogus").text.hasSuffix("И"))
    #expect(decoded([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], charset: "koi8-r") == Decoded("é"))
    #expect(decoded(declaring("utf-16", Array("é".utf8))).text.hasSuffix("é"))
  }

  @Test func `names an unknown label`() {
    let read = decoded(declaring("bogus", Array("é".utf8)))

    #expect(read.text.hasSuffix("é"))
    #expect(read.flaws == [.unknownEncoding("bogus")])
  }

  @Test func `does not believe what the text refutes`() {
    let cyrillic: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]

    #expect(
      decoded(cyrillic, charset: "utf-8", host: "example.ru")
        == Decoded("Привет", .otherEncoding(than: "UTF-8", readAs: "windows-1251"))
    )
    #expect(
      decoded(declaring("koi8-r", [0xC6, 0x20]), charset: "utf-8").flaws
        == [.otherEncoding(than: "UTF-8", readAs: "KOI8-R")]
    )
    #expect(
      decoded(Array("Größe".utf8), charset: "iso-8859-1")
        == Decoded("Größe", .otherEncoding(than: "windows-1252", readAs: "UTF-8"))
    )
    #expect(decoded(Array("Â".utf8), charset: "iso-8859-1") == Decoded("Ã‚"))
  }

  @Test(
    arguments: [
      ("gb2312-detect", "example.cn", "gb18030", "不归移民漫画系列：专业工作"),
      ("shiftjis-detect", "example.jp", "Shift_JIS", "DrecomRSS"),
      ("koi8r-detect", "example.org", "windows-1252", "ëÁË ÐÅÒÅÖÉÔØ ÎÏ×ÏÇÏÄÎÀÀ ÎÏÞØ"),
      ("windows1255-detect", "example.il", "windows-1255", "האם תדפיס נייר של אתר אינטרנט"),
      ("mismatch", nil, "windows-1252", "¤</a>"),
    ] as [(String, String?, String, String)]
  )
  func `reads by the custom of its host's country what declares nothing`(
    file: String,
    host: String?,
    encoding: String,
    text: String
  ) throws {
    let read = decoded(try ReadDocument.bytes(of: "encoding/\(file).xml"), host: host)

    #expect(read.flaws == [.undeclaredEncoding(readAs: encoding)])
    #expect(read.text.contains(text))
  }

  @Test func `decodes real documents as they were written`() throws {
    let korean = decoded(try ReadDocument.bytes(of: "encoding/euc-kr-item.xml"))
    let quotes = decoded(try ReadDocument.bytes(of: "encoding/windows-quotes-in-latin1.xml"))

    #expect(korean.text.contains("<description>\u{B144}</description>"))
    #expect(quotes.text.contains("don\u{2019}t"))
    #expect(korean.flaws + quotes.flaws == [])
  }

  @Test func `knows the custom by the end of the host's name`() {
    let bytes: [UInt8] = Array("Praha je m".utf8) + [0xEC] + Array("sto".utf8)

    #expect(decoded(bytes).text == "Praha je mìsto")
    #expect(decoded(bytes, host: "www.example.cz").text == "Praha je město")
  }

  @Test func `replaces what stands for nothing and goes on`() {
    #expect(
      decoded([0x41, 0x81, 0xFF, 0x42, 0xD6], charset: "gbk")
        == Decoded("A\u{FFFD}\u{FFFD}B", .badCharacters)
    )
    #expect(
      decoded([0xFF, 0xFE, 0x41, 0, 0, 0xDC, 0x42, 0])
        == Decoded("A\u{FFFD}B", .badCharacters)
    )
  }

  @Test func `is not misled by where the sample ends`() {
    let long = String(repeating: "ü", count: 20_001)

    for lead in ["", "a"] {
      #expect(decoded(Array((lead + long).utf8), chunk: 1021) == Decoded(lead + long))
    }
  }

  /// The bytes after an XML declaration with an encoding.
  private func declaring(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
    Array("<?xml version='1.0' encoding=\"\(label)\"?>".utf8) + bytes
  }

  private struct Decoded: Equatable {
    let text: String
    let flaws: [DocumentFlaw]

    init(_ text: String, _ flaws: DocumentFlaw...) {
      self.text = text
      self.flaws = flaws
    }

    init(_ text: String, all flaws: [DocumentFlaw]) {
      self.text = text
      self.flaws = flaws
    }
  }

  private func decoded(
    _ bytes: [UInt8],
    charset: String? = nil,
    host: String? = nil,
    chunk: Int = .max
  ) -> Decoded {
    var decoder = TextDecoder(opening: bytes, charset: charset, host: host)
    var output: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      output += decoder.decode(Array(rest.prefix(chunk)))
      rest = rest.dropFirst(chunk)
    }
    output += decoder.finish()
    return Decoded(String(decoding: output, as: UTF8.self), all: decoder.flaws)
  }
}

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
