import Scenes
import Testing

extension Picture {
  /// A picture of one colour.
  static func plain(
    width: Int,
    height: Int,
    colour: [UInt8] = [200, 40, 30, 255]
  ) throws -> Picture {
    let bytes = Array(repeatElement(colour, count: width * height).joined())
    return try #require(Picture(width: width, height: height, bytes: bytes))
  }
}
