import Models

/// The `reach` of a feed; the raw value is what the store keeps.
private enum StoredReach: Int64 {
  case publicOnly = 0
  case host = 1
  case anywhere = 2
}

extension FeedReach {
  /// Reads the columns `reach` and `private_host`; nil for what is not known.
  init?(column: Int64?, host: String?) {
    switch column.flatMap(StoredReach.init(rawValue:)) {
    case nil: return nil
    case .publicOnly: self = .publicOnly
    // Without a name there is no host to reach: such a row was not written by this program.
    case .host: self = host.map { .host($0) } ?? .publicOnly
    case .anywhere: self = .anywhere
    }
  }

  /// The column `reach`.
  var column: Int64 {
    switch self {
    case .publicOnly: StoredReach.publicOnly.rawValue
    case .host: StoredReach.host.rawValue
    case .anywhere: StoredReach.anywhere.rawValue
    }
  }

  /// The column `private_host`.
  var hostColumn: String? {
    if case .host(let name) = self { name } else { nil }
  }
}
