/// All that a sync keeps.
package typealias SyncStoring = FeedStoring & ThumbnailStoring & MadeThumbnailStoring
  & OriginalStoring
  & OriginalReading
