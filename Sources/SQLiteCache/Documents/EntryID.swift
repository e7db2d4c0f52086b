/// The id of an entry, with what it is looked up by.
struct EntryID: Equatable {
  var text: String
  var hash: Int64

  init(_ id: String) {
    text = ImageFields.storable(id)
    hash = StableHash.of(text)
  }
}
