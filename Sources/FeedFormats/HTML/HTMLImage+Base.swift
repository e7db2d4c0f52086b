import Models

extension HTMLImage {
  /// The image with its addresses relative to `base`, where nothing nearer says otherwise.
  func rebased(on base: WebAddress?) -> HTMLImage {
    guard let base else { return self }
    var image = self
    for index in image.renditions.indices where image.renditions[index].base == nil {
      image.renditions[index].base = base
    }
    if image.link?.base == nil { image.link?.base = base }
    return image
  }
}
