/// Bytes of a pack that no row names any more.
struct PackHole: Equatable {
  var packID: Int64
  /// From the file's start.
  var range: Range<Int>

  /// Makes one of those that follow one another without a gap.
  ///
  /// - Parameter holes: By pack, then by position.
  /// - Returns: The holes, in the same order.
  static func joined(_ holes: [PackHole]) -> [PackHole] {
    var joined: [PackHole] = []
    for hole in holes {
      if let last = joined.last, last.packID == hole.packID,
        last.range.upperBound == hole.range.lowerBound
      {
        joined[joined.count - 1].range = last.range.lowerBound..<hole.range.upperBound
      } else {
        joined.append(hole)
      }
    }
    return joined
  }
}
