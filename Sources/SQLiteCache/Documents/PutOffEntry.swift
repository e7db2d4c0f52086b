/// An entry whose identity is decided at the end of its document, with the places it has there.
///
/// Its images are not what is stored under the entry's id or thumbnail address, so they may be
/// those with changed addresses, or others: only the whole document tells whether the id is used
/// twice, and whether the stored image appears elsewhere.
struct PutOffEntry {
  var entryID: EntryID?
  var images: [DocumentImage]
  var places: [Int64]
}
