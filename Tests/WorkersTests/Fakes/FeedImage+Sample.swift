import Models

extension FeedImage {
  init(named name: String) {
    self.init(
      entryID: name,
      thumbnailAddress: .thumbnail(name),
      originalAddress: .original(name)
    )
  }
}
