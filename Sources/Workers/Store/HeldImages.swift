/// The images that a part of the library had at a change, as two numbers.
///
/// A client that sees only a part must learn when an image has left it, but nothing about images elsewhere. The change
/// log does not tell in which parts an image was. So a cursor for a part carries these numbers: if the part still has
/// the same images up to the highest id, no image has left it. They name neither ids nor feeds of other parts.
package struct HeldImages: Sendable, Equatable {
  /// The highest id; 0 without images.
  package var last: Int64
  /// The sum of a hash of each id.
  package var sum: UInt64

  package init(last: Int64, sum: UInt64) {
    self.last = last
    self.sum = sum
  }

  package init(_ ids: some Sequence<Int64>) {
    self.init(last: 0, sum: 0)
    for id in ids {
      last = max(last, id)
      sum &+= Self.hash(id)
    }
  }

  /// Whether a part that now has some images has exactly these up to the highest id.
  package func isHeld(by part: PartImages) -> Bool {
    self == part.held || HeldImages(part.ids.prefix { $0 <= last }).sum == sum
  }

  /// The finaliser of SplitMix64, so that other ids hardly have the same sum.
  private static func hash(_ id: Int64) -> UInt64 {
    var value = UInt64(bitPattern: id) &+ 0x9e37_79b9_7f4a_7c15
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
