/// What is wrong with a frame.
package enum FrameError: Error, Sendable, Equatable {
  /// It ends before all of its fields, or goes on after them.
  case length
  /// It does not begin as frames do.
  case notAFrame
  /// A field has a value that it cannot have.
  case field(String)
  /// It is longer than frames of its kind may be.
  case tooLong(limit: Int)
}
