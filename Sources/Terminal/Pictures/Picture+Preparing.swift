import Scenes

extension Picture {
  var size: PixelSize { PixelSize(width: width, height: height) }

  /// Whether nothing behind it shows through.
  var isOpaque: Bool {
    bytes.withUnsafeBufferPointer { bytes in
      stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
    }
  }

  /// With transparent room to the right or above, so that its shape is that of a place on the screen
  /// and filling this does not distort it.
  func padded(to place: PixelSize) -> Picture {
    let wide = (height * place.width + place.height - 1) / place.height
    let high = (width * place.height + place.width - 1) / place.width
    let (newWidth, newHeight) = (max(width, wide), max(height, high))
    if newWidth == width, newHeight == height { return self }
    // The longer side stays: only one of both is room.
    return newWidth > width ? widened(to: newWidth) : heightened(to: newHeight)
  }

  /// With what is half transparent mixed into a background; what is wholly transparent stays so.
  func mixed(into background: RGBColour) -> Picture {
    if isOpaque { return self }
    var mixed = bytes
    mixed.withUnsafeMutableBufferPointer { mixed in
      for pixel in stride(from: 0, to: mixed.count, by: 4)
      where (1..<255).contains(mixed[pixel + 3]) {
        let opacity = Int(mixed[pixel + 3])
        let colours = (background.red, background.green, background.blue)
        mixed[pixel] = Self.mix(mixed[pixel], colours.0, opacity)
        mixed[pixel + 1] = Self.mix(mixed[pixel + 1], colours.1, opacity)
        mixed[pixel + 2] = Self.mix(mixed[pixel + 2], colours.2, opacity)
        mixed[pixel + 3] = 255
      }
    }
    return Picture(width: width, height: height, bytes: mixed) ?? self
  }

  private func widened(to newWidth: Int) -> Picture {
    var wide: [UInt8] = []
    wide.reserveCapacity(newWidth * height * 4)
    let room = [UInt8](repeating: 0, count: (newWidth - width) * 4)
    for row in 0..<height {
      wide += bytes[(row * width * 4)..<((row + 1) * width * 4)]
      wide += room
    }
    return Picture(width: newWidth, height: height, bytes: wide) ?? self
  }

  private func heightened(to newHeight: Int) -> Picture {
    let room = [UInt8](repeating: 0, count: (newHeight - height) * width * 4)
    return Picture(width: width, height: newHeight, bytes: room + bytes) ?? self
  }

  private static func mix(_ front: UInt8, _ back: UInt8, _ opacity: Int) -> UInt8 {
    UInt8((Int(front) * opacity + Int(back) * (255 - opacity) + 127) / 255)
  }
}
