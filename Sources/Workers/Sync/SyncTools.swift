package import FoundationEssentials

/// What a sync works with.
package struct SyncTools: Sendable {
  package var network: any Networking
  package var formats: any FeedReading
  package var store: any FeedStoring & ThumbnailStoring & OriginalStoring
  package var originals: any OriginalFetching
  /// A failure in words, for the library to remember.
  package var wording: @Sendable (Failure) -> String
  package var now: @Sendable () -> Date

  package init(
    network: any Networking,
    formats: any FeedReading,
    store: any FeedStoring & ThumbnailStoring & OriginalStoring,
    originals: any OriginalFetching,
    wording: @escaping @Sendable (Failure) -> String,
    now: @escaping @Sendable () -> Date
  ) {
    self.network = network
    self.formats = formats
    self.store = store
    self.originals = originals
    self.wording = wording
    self.now = now
  }
}
