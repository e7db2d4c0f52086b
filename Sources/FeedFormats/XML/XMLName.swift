/// An element's name: its vocabulary and its word in it.
struct XMLName: Equatable {
  let space: XMLNamespace
  let word: XMLWord

  /// What stands around the root.
  static let document = XMLName(.other, .other)

  init(_ space: XMLNamespace, _ word: XMLWord) {
    self.space = space
    self.word = word
  }
}
