import Models

/// Addresses that a document lists, each once, in order, and never without bound.
struct AddressList {
  private(set) var all: [WebAddress] = []
  /// Whether there were more than a list may have, by number or by bytes.
  private(set) var isCut = false
  private var bytes = 0
  private var known: Set<String>
  private let document: WebAddress

  /// Begins the list of a document, which never is on its own list.
  init(of document: WebAddress) {
    self.document = document
    known = [document.identity]
  }

  /// Takes an address as the document writes it; what it may not name is left out.
  mutating func add(_ reference: String) {
    guard !isCut, let address = document.resolvingEscaped(reference),
      NotImages.isReachable(address, from: document)
    else { return }
    let length = address.text.utf8.count
    if all.count >= FormatLimits.listedAddresses
      || bytes + length > FormatLimits.listedAddressBytes
    {
      isCut = true
    } else if known.insert(address.identity).inserted {
      all.append(address)
      bytes += length
    }
  }
}

extension WebAddress {
  /// Resolves a reference, HTML's escapes in it undone; the usual case, an absolute address
  /// without blanks and escapes, is not taken apart twice.
  func resolvingEscaped(_ reference: String) -> WebAddress? {
    if Self.isPlainAddress(reference.utf8Span.span) { return WebAddress(reference) }
    return resolving(References.decoded(reference))
  }

  /// What an absolute `xml:base` in HTML names, mended like any other reference.
  init?(base reference: String) {
    guard let address = WebAddress(reference)?.resolving(reference) else { return nil }
    self = address
  }

  private static func isPlainAddress(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.begins(with: "https://", at: 0) || bytes.begins(with: "http://", at: 0) else {
      return false
    }
    for index in bytes.indices {
      let byte = bytes[index]
      if byte <= 0x20 || byte == UInt8(ascii: "&") && !isSeparator(at: index, in: bytes) {
        return false
      }
    }
    return true
  }

  /// Whether the `&` at `index` is followed by a parameter's name and not by a reference's end.
  private static func isSeparator(at index: Int, in bytes: Span<UInt8>) -> Bool {
    var next = index + 1
    while next < bytes.count, next - index <= CharacterReference.longestName {
      if bytes[next] == UInt8(ascii: ";") { return false }
      if bytes[next] == UInt8(ascii: "=") || bytes[next] == UInt8(ascii: "&") { return true }
      next += 1
    }
    return true
  }
}
