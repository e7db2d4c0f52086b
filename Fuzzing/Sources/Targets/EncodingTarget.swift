import Workers

@testable import FeedFormats

/// Converts texts in any encoding to UTF-8.
///
/// The first byte of the input chooses the encoding that the server declares.
struct EncodingTarget: FuzzTarget {
  let name = "encoding"
  let dictionary = "encoding"
  let seeds: [Seed] = [
    .documents("encoding"), .documents("windows-1251.xml"), .text("\u{2}\u{FEFF}<a>\u{E4}</a>"),
    .bytes([9, 0x83, 0x41, 0x1B, 0x24, 0x42, 0x30, 0x21, 0x1B, 0x28, 0x42]),
  ]

  private static let charsets: [String?] = [
    nil, "utf-8", "utf-16", "utf-16be", "utf-32le", "iso-8859-1", "windows-1251", "koi8-r",
    "gb18030", "shift_jis", "iso-2022-jp", "euc-jp", "euc-kr", "big5", "macintosh", "windows-1255",
    "nothing", "",
  ]

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    let charset = Self.charsets[Int(input.first ?? 0) % Self.charsets.count]
    let text = Array(input.dropFirst())
    var choices = Choices(input)
    let whole = decoded([text[...]], of: text, charset)
    let inPieces = decoded(choices.pieces(of: text), of: text, charset)
    try requireEqual(whole.text, inPieces.text, "a text at once, and in pieces")
    try requireEqual(whole.flaws, inPieces.flaws, "the flaws of a text")
    try require(String(validating: whole.text, as: UTF8.self) != nil, "this is not UTF-8")
    try require(whole.text.count <= 4 * text.count + 64, "\(whole.text.count) bytes of text")
  }

  private func decoded(
    _ pieces: [ArraySlice<UInt8>],
    of text: [UInt8],
    _ charset: String?
  ) -> (text: [UInt8], flaws: [DocumentFlaw]) {
    let opening = Array(text.prefix(FormatLimits.opening))
    var decoder = TextDecoder(opening: opening, charset: charset, host: "example.jp")
    var result: [UInt8] = []
    for piece in pieces { result += decoder.decode(Array(piece)) }
    result += decoder.finish()
    return (result, decoder.flaws)
  }
}
