/// The row of a new image.
struct NewImageRow {
  var image: DocumentImage
  var feedID: Int64
  var entryID: EntryID?
  var isAmbiguous: Bool
  var place: Int64
  var date: Int64
  /// When it was first seen.
  var now: Int64

  /// What `newest` sorts by: published, never later than first seen, else first seen.
  static func date(published: Int64?, firstSeen: Int64) -> Int64 {
    min(published ?? firstSeen, firstSeen)
  }
}
