import Models

/// Addresses that a document lists, each once, in order, and never without bound.
struct AddressList {
  private(set) var all: [WebAddress] = []
  /// Whether there were more than are kept.
  private(set) var isCut = false
  private var known: Set<String>
  private let document: WebAddress

  /// Begins the list of a document, which never is on its own list.
  init(of document: WebAddress) {
    self.document = document
    known = [document.identity]
  }

  /// Takes an address as the document writes it; what it may not name is left out.
  mutating func add(_ reference: String) {
    guard let address = document.resolvingEscaped(reference),
      NotImages.isReachable(address, from: document)
    else { return }
    guard all.count < FormatLimits.listedAddresses else {
      isCut = true
      return
    }
    if known.insert(address.identity).inserted { all.append(address) }
  }
}
