/// A 64-bit hash that is the same in every run and on every machine (FNV-1a).
///
/// It is for look-ups in the store: what is found by it is compared in full.
enum StableHash {
  static func of(_ text: String) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    let bytes = text.utf8Span.span
    for index in bytes.indices {
      hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3
    }
    return Int64(bitPattern: hash)
  }
}
