/// What became of thumbnails that were asked for, to be kept in one transaction.
package struct ThumbnailBatch: Sendable, Equatable {
  /// Those that were missing.
  package var new: [FetchedThumbnail]
  /// Those that are no longer what is stored of the same address: with it, the picture has changed.
  package var changed: [FetchedThumbnail]
  package var unchanged: [UnchangedThumbnail]
  package var failed: [FailedPicture]

  package init(
    new: [FetchedThumbnail] = [],
    changed: [FetchedThumbnail] = [],
    unchanged: [UnchangedThumbnail] = [],
    failed: [FailedPicture] = []
  ) {
    self.new = new
    self.changed = changed
    self.unchanged = unchanged
    self.failed = failed
  }

  /// How many thumbnails it says something of.
  package var count: Int { new.count + changed.count + unchanged.count + failed.count }
}
