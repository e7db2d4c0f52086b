/// How far a verification has come, so that an interrupted one is taken up again.
package struct VerificationMark: Sendable, Equatable {
  /// The image whose thumbnail was looked at last; 0 at the beginning.
  package var thumbnail: Int64
  /// The row of the original that was looked at last; 0 at the beginning.
  package var original: Int64

  package init(thumbnail: Int64 = 0, original: Int64 = 0) {
    self.thumbnail = thumbnail
    self.original = original
  }

  /// Whether nothing has been looked at.
  package var isAtStart: Bool { thumbnail == 0 && original == 0 }
}
