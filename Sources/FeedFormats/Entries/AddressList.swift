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
