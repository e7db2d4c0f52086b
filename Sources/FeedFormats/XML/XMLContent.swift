/// What a format wants of an element it was shown.
enum XMLContent {
  /// The elements in it, and the text that stands between them.
  case children
  /// All text in it, that of its children too.
  case text
  /// All text in it as HTML, with those of its children that HTML's pictures are told by.
  case markup
  /// Nothing.
  case none
}
