/// The hosts that are asked without a proxy (CURLOPT_NOPROXY).
///
/// Names, each of which means the names below it, too; addresses and ranges of them (`10.0.0.0/8`),
/// parted by commas or blanks; `*` alone means all.
struct NoProxyList: Sendable, Equatable {
  private let words: [String]
  private let isAll: Bool

  init(_ text: String) {
    isAll = text == "*"
    words = text.lowercased().utf8.split { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
      .map { String(Substring($0)) }
  }

  /// Takes a host as `HopURL` writes it.
  func contains(_ host: String) -> Bool {
    if isAll { return true }
    let isBracketed = host.utf8.first == UInt8(ascii: "[")
    let name = isBracketed ? Substring(host.utf8.dropFirst().dropLast()) : host[...]
    if let address = IPAddress(String(name)) {
      return words.contains { Self.isWithin(address, $0) }
    }
    return words.contains { Self.isBelow(name, $0) }
  }

  private static func isBelow(_ name: Substring, _ word: String) -> Bool {
    let dot = UInt8(ascii: ".")
    let name = name.utf8.last == dot ? name.utf8.dropLast() : name.utf8
    var word = word.utf8[...]
    if word.last == dot { word = word.dropLast() }
    if word.first == dot { word = word.dropFirst() }
    guard !word.isEmpty, name.suffix(word.count).elementsEqual(word) else { return false }
    let rest = name.dropLast(word.count)
    return rest.isEmpty || rest.last == dot
  }

  private static func isWithin(_ address: IPAddress, _ word: String) -> Bool {
    let parts = word.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).map { Substring($0) }
    guard let first = parts.first, let start = IPAddress(String(first)) else { return false }
    let bits = parts.dropFirst().first.flatMap { Int($0) } ?? 0
    return switch (start, address) {
    case (.v4(let start), .v4(let address)): isWithin(start, bits, address)
    case (.v6(let start), .v6(let address)): isWithin(start, bits, address)
    default: false
    }
  }

  /// Without a number of bits, or with 0, it is the address alone.
  private static func isWithin<Number: FixedWidthInteger>(
    _ start: Number,
    _ bits: Int,
    _ address: Number
  ) -> Bool {
    guard bits > 0 else { return start == address }
    return bits <= Number.bitWidth && (start ^ address) >> (Number.bitWidth - bits) == 0
  }
}
