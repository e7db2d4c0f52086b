/// What a format wants of an element it was shown.
enum XMLContent {
  /// The elements in it, and the text that stands between them.
  case children
  /// All text in it, that of its children too.
  case text
  /// Nothing.
  case none
}
