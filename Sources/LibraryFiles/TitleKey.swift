package import Workers

/// The key that titles are sorted by: their letters without case and accents, and their numbers by value.
package enum TitleKey {
  /// The number of scalars of a title that count for its order.
  private static let scalars = 160
  /// The most digits of a number that count for its value, without leading zeros.
  private static let digits = 20
  /// The key of a missing title, which sorts after every title: the last code point.
  package static let none = "\u{10FFFF}"

  package static func of(_ title: String?) -> String {
    guard let title else { return none }
    var folded = LetterFolding.fold(title)
    if folded.utf8.count > scalars {
      folded = String(String.UnicodeScalarView(folded.unicodeScalars.prefix(scalars)))
    }
    return numbered(withASCIIDigits(folded))
  }

  /// The text with the digits of all scripts in ASCII.
  private static func withASCIIDigits(_ text: String) -> String {
    if LetterFolding.isASCII(text) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.value >= 0x660, scalar.properties.generalCategory == .decimalNumber,
        let value = scalar.properties.numericValue
      {
        result.append(Unicode.Scalar(0x30 + UInt8(value)))
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// The text with each number after the count of its digits: "img2" becomes "img12", and "img10" becomes "img210".
  ///
  /// The count is one digit up to 8, and then "9" with a second sign, which counts on from "0".
  private static func numbered(_ text: String) -> String {
    let bytes = text.utf8Span.span
    guard bytes.indices.contains(where: { isDigit(bytes[$0]) }) else { return text }
    var key: [UInt8] = []
    key.reserveCapacity(bytes.count * 2)
    var index = 0
    while index < bytes.count {
      guard isDigit(bytes[index]) else {
        key.append(bytes[index])
        index += 1
        continue
      }
      var end = index + 1
      while end < bytes.count, isDigit(bytes[end]) { end += 1 }
      while index < end - 1, bytes[index] == zero { index += 1 }
      let count = UInt8(min(end - index, digits))
      key.append(zero + min(count, 9))
      if count >= 9 { key.append(zero + count - 9) }
      while index < end {
        key.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: key, as: UTF8.self)
  }

  private static let zero = UInt8(ascii: "0")

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= zero + 9 }
}

extension CopiedTable {
  /// A row of the table; an image's has the key of its title, in place of one that an older program stored.
  package func withPresentTitleKey(_ row: CopiedRow) -> CopiedRow {
    guard self == .image, let key = columns.firstIndex(of: "title_key") else { return row }
    var row = row
    row[key] = .text(TitleKey.of(value("title", of: row).text))
    return row
  }
}
