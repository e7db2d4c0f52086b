import Models

/// Addresses that a document lists, each once, in order, and never without bound.
struct AddressList {
  private(set) var all: [WebAddress] = []
  /// Why there are no more; nil while all were kept.
  private var cut: Cut?
  private var bytes = 0
  private var known: Set<String>
  private let document: WebAddress

  private enum Cut { case number, bytes }

  /// Begins the list of a document, which never is on its own list.
  init(of document: WebAddress) {
    self.document = document
    known = [document.identity]
  }

  /// Takes an address as the document writes it; what it may not name is left out.
  mutating func add(_ reference: String) {
    guard cut == nil, let address = document.resolvingEscaped(reference),
      NotImages.isReachable(address, from: document)
    else { return }
    let length = address.text.utf8.count
    if all.count >= FormatLimits.listedAddresses {
      cut = .number
    } else if bytes + length > FormatLimits.listedAddressBytes {
      cut = .bytes
    } else if known.insert(address.identity).inserted {
      all.append(address)
      bytes += length
    }
  }

  /// What was too much, as a warning that names the limit; nil when all were kept.
  func excess(of things: String) -> String? {
    switch cut {
    case nil: nil
    case .number: "more than \(FormatLimits.listedAddresses) \(things)"
    case .bytes: "more than \(FormatLimits.listedAddressBytes >> 20) MB of addresses of \(things)"
    }
  }
}
