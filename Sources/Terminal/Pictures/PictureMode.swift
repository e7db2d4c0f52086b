/// When pictures are drawn, as `--pictures` says.
package enum PictureMode: String, CaseIterable, Sendable {
  /// On a terminal that can show them.
  case auto
  /// Also through a pipe, and as pixels inside a terminal multiplexer that takes them.
  case always
  case never
}
