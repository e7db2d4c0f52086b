import Models

extension FeedImage {
  init(named name: String) {
    self.init(thumbnailAddress: .thumbnail(name), originalAddress: .original(name))
  }
}

extension FeedEntry {
  /// An entry of one image, or of several with slashes between their names.
  init(named name: String) {
    self.init(id: name, images: name.split(separator: "/").map { FeedImage(named: String($0)) })
  }
}
