import Scenes
import Workers

extension Picture {
  var size: PixelSize { PixelSize(width: width, height: height) }

  /// Whether all pixels are opaque.
  var isOpaque: Bool {
    bytes.withUnsafeBufferPointer { bytes in
      stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
    }
  }

  /// Adds a transparent margin at the right or at the top, so that filling an area does not distort it.
  func padded(to area: PixelSize) -> Picture {
    let wide = (height * area.width + area.height - 1) / area.height
    let high = (width * area.height + area.width - 1) / area.width
    let (newWidth, newHeight) = (max(width, wide), max(height, high))
    if newWidth == width, newHeight == height { return self }
    // Only one side grows.
    return newWidth > width ? widened(to: newWidth) : heightened(to: newHeight)
  }

  /// Blends partly transparent pixels with a background; fully transparent ones stay as they are.
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

  /// Puts a picture with transparent parts on a grey ground if it could hardly be seen on the background, as a black logo
  /// on black.
  ///
  /// It is hardly seen if most of its opaque pixels have nearly the brightness of the background. A background that is
  /// not known may be of any brightness.
  func grounded(on background: RGBColour?) -> Picture {
    if isOpaque { return self }
    var (clear, solid, alike, sum) = (0, 0, 0, 0)
    bytes.withUnsafeBufferPointer { bytes in
      for pixel in stride(from: 0, to: bytes.count, by: 4) {
        if bytes[pixel + 3] < Self.leastOpacity {
          clear += 1
          continue
        }
        let luma = RGBColour(red: bytes[pixel], green: bytes[pixel + 1], blue: bytes[pixel + 2])
          .luma
        solid += 1
        sum += luma
        if let background, abs(luma - background.luma) < Self.visibleContrast { alike += 1 }
      }
    }
    // Round corners are no ground.
    guard solid > 0, clear * Self.leastShare > solid else { return self }
    if background != nil, alike * 2 <= solid { return self }
    return filled(sum / solid < 128 ? .lightGrey : .darkGrey)
  }

  /// The opacity below which a pixel shows the background.
  private static let leastOpacity = 64
  /// The difference in brightness from which on a pixel is seen.
  private static let visibleContrast = 64
  /// One part of so many is transparent in a picture that shows the background.
  private static let leastShare = 50

  /// The picture on a ground of one colour.
  private func filled(_ ground: RGBColour) -> Picture {
    var filled = bytes
    filled.withUnsafeMutableBufferPointer { filled in
      for pixel in stride(from: 0, to: filled.count, by: 4) where filled[pixel + 3] < 255 {
        let opacity = Int(filled[pixel + 3])
        filled[pixel] = Self.mix(filled[pixel], ground.red, opacity)
        filled[pixel + 1] = Self.mix(filled[pixel + 1], ground.green, opacity)
        filled[pixel + 2] = Self.mix(filled[pixel + 2], ground.blue, opacity)
        filled[pixel + 3] = 255
      }
    }
    return Picture(width: width, height: height, bytes: filled) ?? self
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

/// A colour with eight bits for each channel.
package struct RGBColour: Sendable, Equatable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  static let black = RGBColour(red: 0, green: 0, blue: 0)
  static let white = RGBColour(red: 255, green: 255, blue: 255)
  static let lightGrey = RGBColour(red: 192, green: 192, blue: 192)
  static let darkGrey = RGBColour(red: 64, green: 64, blue: 64)

  /// The colour as 0xRRGGBB, for libchafa.
  var packed: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

  /// Whether dark text is legible on it.
  var isLight: Bool { thousandthsOfLuma > 127_500 }

  /// The brightness, from 0 to 255.
  var luma: Int { thousandthsOfLuma / 1_000 }

  /// The luma of ITU-R BT.601.
  private var thousandthsOfLuma: Int { 299 * Int(red) + 587 * Int(green) + 114 * Int(blue) }
}
