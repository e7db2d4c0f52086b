/// Where a picture's bytes lie in a pack, and what they add up to.
struct PackPlace: Equatable {
  var packID: Int64
  /// Of its first byte, from the file's start.
  var position: Int
  /// How many bytes it has.
  var count: Int
  /// A `PictureChecksum`.
  var checksum: Int64

  var range: Range<Int> { position..<position + count }
}
