import ArgumentParser

/// The value of an option for a number of bytes: `500M`, `1.5G`, `4096`; units are 1024-based.
///
/// The sizes in messages, such as `4.2 MiB` and `31.2 KiB`, are values as well.
package struct SizeArgument: Equatable, Sendable {
  package let bytes: Int

  /// Reads a value; nil for anything that is not a size, or is larger than any disk.
  package init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard digits.first?.isNumber == true, digits.last?.isNumber == true,
      let number = Double(digits), let factor = Self.factor(of: unit.lowercased())
    else { return nil }
    let bytes = (number * factor).rounded()
    guard bytes < 0x1p62 else { return nil }
    self.bytes = Int(bytes)
  }

  /// Reads the value, or throws a message with examples.
  package static func parse(_ text: String) throws -> SizeArgument {
    guard let size = SizeArgument(text) else {
      throw ValidationError("'\(text)' is not a size; 500M, 1.5G and 4096 are")
    }
    return size
  }

  /// Reads a bound of the disk space, which is hardly ever meant in bytes.
  package static func parseBound(_ text: String) throws -> SizeArgument {
    let size = try parse(text)
    let isNumber = text.allSatisfy { $0.isNumber || $0 == "." }
    guard isNumber, (1..<(1 << 20)).contains(size.bytes) else { return size }
    throw ValidationError("'\(text)' is a number of bytes; did you mean \(text)G?")
  }

  private static func factor(of unit: String) -> Double? {
    let prefixes: [String: Double] = ["k": 0x1p10, "m": 0x1p20, "g": 0x1p30, "t": 0x1p40]
    if unit.isEmpty || unit == "b" { return 1 }
    guard let prefix = unit.first, ["", "b", "ib"].contains(unit.dropFirst()) else { return nil }
    return prefixes[String(prefix)]
  }
}

/// When messages are coloured.
package enum ColorMode: String, CaseIterable, ExpressibleByArgument, Sendable {
  case auto, always, never
}

/// Reads the values of options that limit transfers.
package enum RateArgument {
  /// Reads the bytes per second, a size of at least 1K.
  package static func bytes(_ text: String) throws -> SizeArgument {
    let size = try SizeArgument.parse(text)
    guard size.bytes >= 1024 else { throw ValidationError("'\(text)' is less than 1K a second") }
    return size
  }

  /// Reads the requests per second, from one in 1,000 seconds to 1,000.
  package static func requests(_ text: String) throws -> Double {
    guard let rate = Double(text), (0.001...1_000).contains(rate) else {
      throw ValidationError("'\(text)' is not a number from 0.001 to 1000")
    }
    return rate
  }
}
