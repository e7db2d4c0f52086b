package import Models

/// What became of a feed that was sent to the same new address for good twice running.
package enum FeedMove: Sendable, Equatable {
  /// The new address is the feed's; the old one means it still.
  case moved(from: WebAddress, to: WebAddress)
  /// The new address is another feed's, followed or removed: nothing has changed.
  case taken(WebAddress)
}
