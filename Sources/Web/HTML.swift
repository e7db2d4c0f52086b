/// Markup for a browser, written as string literals.
///
/// Only literals are markup: text and numbers that are interpolated into them are escaped, and other markup goes in as
/// it is. So a page cannot forget to escape.
package struct HTML: Equatable, Sendable, ExpressibleByStringInterpolation {
  /// The markup in UTF-8.
  package let bytes: [UInt8]

  package init(stringLiteral markup: String) { bytes = Array(markup.utf8) }

  package init(stringInterpolation parts: StringInterpolation) { bytes = parts.bytes }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var bytes: [UInt8] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + 24 * interpolationCount)
    }

    package mutating func appendLiteral(_ markup: String) { bytes += markup.utf8 }

    /// Adds text, for an element or a quoted attribute (HTML, section 13.3).
    package mutating func appendInterpolation(_ value: String) {
      // By bytes and not by characters, because a quotation mark and an accent after it are one character.
      var value = value
      value.withUTF8 { text in
        var start = 0
        for index in text.indices {
          guard let escaped = Self.escaped(text[index]) else { continue }
          bytes += text[start..<index]
          bytes += escaped.utf8
          start = index + 1
        }
        bytes += text[start...]
      }
    }

    private static func escaped(_ byte: UInt8) -> String? {
      switch byte {
      case UInt8(ascii: "&"): "&amp;"
      case UInt8(ascii: "<"): "&lt;"
      case UInt8(ascii: ">"): "&gt;"
      case UInt8(ascii: "\""): "&quot;"
      case UInt8(ascii: "'"): "&#39;"
      default: nil
      }
    }

    package mutating func appendInterpolation(_ number: some BinaryInteger) {
      bytes += String(number).utf8
    }

    /// Adds markup, or nothing.
    package mutating func appendInterpolation(_ markup: HTML?) {
      if let markup { bytes += markup.bytes }
    }

    package mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { bytes += part.bytes }
    }

    /// Adds a line, or nothing.
    ///
    /// Write a backslash at the end of the line that has the interpolation.
    package mutating func appendInterpolation(line: HTML?) {
      guard let line else { return }
      bytes += line.bytes
      bytes.append(UInt8(ascii: "\n"))
    }

    /// Adds pieces of markup, each as a line; write a backslash here too.
    package mutating func appendInterpolation(lines: [HTML]) {
      for line in lines { appendInterpolation(line: line) }
    }

    /// Adds one of two pieces of markup.
    package mutating func appendInterpolation(
      if condition: Bool,
      _ markup: @autoclosure () -> HTML,
      else other: @autoclosure () -> HTML = ""
    ) {
      bytes += condition ? markup().bytes : other().bytes
    }

    /// Adds a blank and an attribute, or nothing without a value.
    package mutating func appendInterpolation(attribute name: HTML, _ value: String?) {
      if let value { appendInterpolation(" \(name)=\"\(value)\"" as HTML) }
    }

    package mutating func appendInterpolation(
      attribute name: HTML,
      _ value: (some BinaryInteger)?
    ) {
      if let value { appendInterpolation(" \(name)=\"\(value)\"" as HTML) }
    }
  }
}
