/// What a document did to the images of its feed.
package struct ImageCounts: Sendable, Equatable {
  /// Images in the document.
  package var total: Int
  package var new: Int
  /// Known images with a field that differs.
  package var changed: Int
  /// Images that the feed, which lists everything it has, no longer lists.
  package var gone: Int

  package init(total: Int = 0, new: Int = 0, changed: Int = 0, gone: Int = 0) {
    self.total = total
    self.new = new
    self.changed = changed
    self.gone = gone
  }
}
