/// A picture's width and height in pixels.
struct PixelSize: Equatable {
  let width: Int
  let height: Int

  /// Takes a size that a header gives; nil when one of its sides is missing or nothing.
  init?(width: Int?, height: Int?) {
    guard let width, let height, width > 0, height > 0 else { return nil }
    self.width = width
    self.height = height
  }
}
