package import FoundationEssentials

/// Tells which processes use a library.
package protocol NodeListing: Sendable {
  /// Those that are known, by machine and process, but for this one.
  func nodes() async throws(StoreError) -> [Node]
}

/// A process that uses the library.
package struct Node: Sendable, Equatable {
  package var machine: String
  package var process: Int
  /// When it opened the library, or began its longest sync.
  package var since: Date
  /// The feeds that it syncs now.
  package var feeds: [SyncedFeed] = []

  package init(machine: String, process: Int, since: Date, feeds: [SyncedFeed] = []) {
    self.machine = machine
    self.process = process
    self.since = since
    self.feeds = feeds
  }
}

/// A feed that a process syncs.
package struct SyncedFeed: Sendable, Equatable {
  /// Nil for one that is being added.
  package var id: Int64?
  package var title: String?
  /// Its address, or what all spellings of it share.
  package var address: String
  /// When the sync began.
  package var since: Date

  package init(id: Int64?, title: String?, address: String, since: Date) {
    self.id = id
    self.title = title
    self.address = address
    self.since = since
  }
}
