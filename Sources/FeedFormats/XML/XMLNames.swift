import CXML2

/// Remembers what the names of a document mean, by the addresses libxml2 keeps them at.
///
/// libxml2 interns names in a dictionary that lives as long as the parser: the same name has the
/// same address throughout a document, and no other name ever has it.
struct XMLNames {
  private struct Key: Hashable {
    let local: UnsafePointer<xmlChar>?
    let prefix: UnsafePointer<xmlChar>?
    let address: UnsafePointer<xmlChar>?
  }

  /// How many names are found by where they are kept alone, without a look into the table.
  private static let places = 64

  private var known: [Key: XMLName] = [:]
  /// The name that each place was asked for last; most documents have few names, and repeat them.
  private var recent = [(key: Key, name: XMLName)?](repeating: nil, count: places)

  /// The name that libxml2 describes by these three strings.
  mutating func name(
    local: UnsafePointer<xmlChar>?,
    prefix: UnsafePointer<xmlChar>?,
    address: UnsafePointer<xmlChar>?
  ) -> XMLName {
    let key = Key(local: local, prefix: prefix, address: address)
    let place = Self.place(of: key)
    if let recent = recent[place], recent.key == key { return recent.name }
    let name = name(key)
    recent[place] = (key, name)
    return name
  }

  private static func place(of key: Key) -> Int {
    // libxml2 keeps names one behind the other, from any byte on.
    let (local, prefix) = (UInt(bitPattern: key.local), UInt(bitPattern: key.prefix))
    return Int((local &+ prefix &* 31) % UInt(places))
  }

  private mutating func name(_ key: Key) -> XMLName {
    if let name = known[key] { return name }
    let name = XMLName(
      XMLNamespace(
        address: key.address.map { String(cString: $0) },
        prefix: key.prefix.map { String(cString: $0) }
      ),
      XMLWord(localName: key.local.map { String(cString: $0) } ?? "")
    )
    if known.count < FormatLimits.rememberedNames { known[key] = name }
    return name
  }
}
