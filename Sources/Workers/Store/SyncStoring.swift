/// All that a sync reads and keeps.
package typealias SyncStoring = FeedStoring & DocumentStoring & PictureStoring & LibraryReading
