package import Models

/// What a document says as a whole, besides its entries.
package struct FeedDocument: Sendable, Equatable {
  package var format: FeedFormat
  /// The feed's title: one line of plain text.
  package var title: String?
  /// What was wrong with the document and could be read past.
  package var flaws: [DocumentFlaw]
  /// Whether the document lists everything its feed has, so that what is missing is gone:
  /// never true of a window on the newest entries, or when something may be lost.
  package var listsEverything: Bool
  package var continuation: FeedContinuation
  /// What the document says of the object that its images show, when it is a manifest of IIIF.
  package var manifest: Manifest?

  package init(
    format: FeedFormat,
    title: String? = nil,
    flaws: [DocumentFlaw] = [],
    listsEverything: Bool = false,
    continuation: FeedContinuation = .none,
    manifest: Manifest? = nil
  ) {
    self.format = format
    self.title = title
    self.flaws = flaws
    self.listsEverything = listsEverything
    self.continuation = continuation
    self.manifest = manifest
  }

  /// Whether all images are here that the document has.
  package var isLossless: Bool { flaws.allSatisfy(\.isHarmless) }
}
