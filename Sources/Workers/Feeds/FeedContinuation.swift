package import Models

/// Where the rest of what a document stands for is.
package enum FeedContinuation: Sendable, Equatable {
  /// Nowhere: the document is all.
  case none
  /// The next page of a window on the newest entries.
  case nextPage(WebAddress)
  /// The documents of a collection, in order: they and this one are one feed.
  case members([WebAddress])
  /// Feeds that the document only points to, in order: an OPML list's, or a web page's own.
  case feeds([WebAddress])
}
