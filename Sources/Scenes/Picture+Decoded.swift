import Workers

extension Picture {
  /// Takes what a decoder made; nil when its pixels are not as many as it says.
  init?(_ pixels: DecodedPixels) {
    self.init(width: pixels.width, height: pixels.height, bytes: pixels.rgba)
  }
}
