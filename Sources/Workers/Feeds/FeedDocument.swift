package import Models

/// What the end of a document adds to the images that came before.
package struct FeedDocument: Sendable, Equatable {
  package var format: FeedFormat
  /// The feed's title: one line of plain text.
  package var title: String?
  /// The images that were complete only now.
  package var images: [FeedImage]
  /// What was wrong with the document and could be read past, a sentence part each.
  package var warnings: [String]
  /// Whether the document lists everything its feed has, so that what is missing is gone:
  /// never true of a window on the newest entries, or after a warning.
  package var listsEverything: Bool
  package var continuation: FeedContinuation
  /// What the document says of the object that its images show, when it is a manifest of IIIF.
  package var manifest: Manifest?

  package init(
    format: FeedFormat,
    title: String? = nil,
    images: [FeedImage] = [],
    warnings: [String] = [],
    listsEverything: Bool = false,
    continuation: FeedContinuation = .none,
    manifest: Manifest? = nil
  ) {
    self.format = format
    self.title = title
    self.images = images
    self.warnings = warnings
    self.listsEverything = listsEverything
    self.continuation = continuation
    self.manifest = manifest
  }
}
