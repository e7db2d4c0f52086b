/// How many pictures of a feed are wanted.
package struct PictureCount: Sendable, Equatable {
  /// Those that are asked for.
  package var offered: Int
  /// Those that have failed too lately to be asked for again.
  package var heldBack: Int

  package init(offered: Int, heldBack: Int) {
    self.offered = offered
    self.heldBack = heldBack
  }

  /// All that are wanted.
  package var wanted: Int { offered + heldBack }
}
