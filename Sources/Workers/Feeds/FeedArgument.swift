package import Models

/// How a person names a feed: by address, by the path of a document, or by id.
package enum FeedArgument: Sendable, Equatable {
  case id(Int64)
  case address(WebAddress)
  /// An address of a kind that cannot be synced; its scheme.
  case unusable(scheme: String)

  /// Reads what was typed; a relative path is taken from `folder`.
  ///
  /// Digits alone are an id; an existing file of such a name is meant by `./7`.
  package init(_ text: String, relativeTo folder: String) {
    if !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let id = Int64(text) {
      self = .id(id)
    } else if let address = WebAddress(text), text.contains("://") || address.isFile {
      self = address.isWeb || address.isFile ? .address(address) : .unusable(scheme: address.scheme)
    } else {
      self = .address(WebAddress(filePath: text, relativeTo: folder))
    }
  }

  /// Whether this is the feed that is meant; an address that it had before means it still.
  package func means(_ feed: Feed) -> Bool {
    switch self {
    case .id(let id): feed.id == id
    case .address(let address): feed.address == address || feed.aliases.contains(address)
    case .unusable: false
    }
  }
}
