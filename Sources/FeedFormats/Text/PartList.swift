/// Parts to look for in addresses, all of them in one pass, without regard to case.
struct PartList: Sendable {
  /// The parts by their first byte.
  private var byFirst = [[StaticString]](repeating: [], count: 256)

  /// Takes parts in lower case.
  init(_ parts: [StaticString]) {
    for part in parts { byFirst[Int(part.utf8Start[0])].append(part) }
  }

  /// Whether one of the parts stands in an address.
  func occurs(in address: String) -> Bool { occurs(in: address.utf8Span.span) }

  /// Whether one of the parts stands in an address.
  func occurs(in bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices {
      for part in byFirst[Int(bytes[index].lowercased)]
      where bytes.beginsIgnoringCase(with: part, at: index) {
        return true
      }
    }
    return false
  }
}
