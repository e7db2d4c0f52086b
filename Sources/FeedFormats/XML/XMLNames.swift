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

  private var known: [Key: XMLName] = [:]

  /// The name that libxml2 describes by these three strings.
  mutating func name(
    local: UnsafePointer<xmlChar>?,
    prefix: UnsafePointer<xmlChar>?,
    address: UnsafePointer<xmlChar>?
  ) -> XMLName {
    let key = Key(local: local, prefix: prefix, address: address)
    if let name = known[key] { return name }
    let name = XMLName(
      XMLNamespace(
        address: address.map { String(cString: $0) },
        prefix: prefix.map { String(cString: $0) }
      ),
      XMLWord(localName: local.map { String(cString: $0) } ?? "")
    )
    if known.count < FormatLimits.rememberedNames { known[key] = name }
    return name
  }
}
