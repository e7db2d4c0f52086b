import Scenes
import Testing
import Workers

@testable import Terminal

struct PicturePreparingTests {
  private let clear: [UInt8] = [0, 0, 0, 0]

  @Test func `makes room to the right of a picture that is too narrow`() throws {
    let picture = try pixels(width: 1, height: 2, [[1, 2, 3, 255], [4, 5, 6, 255]])

    let padded = picture.padded(to: PixelSize(width: 20, height: 20))

    #expect(
      padded == (try pixels(width: 2, height: 2, [[1, 2, 3, 255], clear, [4, 5, 6, 255], clear]))
    )
  }

  @Test func `makes room above a picture that is too low`() throws {
    let picture = try pixels(width: 2, height: 1, [[1, 2, 3, 255], [4, 5, 6, 255]])

    let padded = picture.padded(to: PixelSize(width: 20, height: 20))

    #expect(
      padded == (try pixels(width: 2, height: 2, [clear, clear, [1, 2, 3, 255], [4, 5, 6, 255]]))
    )
  }

  @Test func `leaves a picture of the right shape alone`() throws {
    let picture = try pixels(width: 2, height: 1, [[1, 2, 3, 255], [4, 5, 6, 255]])

    #expect(picture.padded(to: PixelSize(width: 80, height: 40)) == picture)
  }

  @Test func `mixes what is half transparent into the background`() throws {
    let picture = try pixels(
      width: 3,
      height: 1,
      [[255, 0, 0, 128], [9, 9, 9, 0], [1, 2, 3, 255]]
    )

    #expect(!picture.isOpaque)
    let mixed = picture.mixed(into: .white)
    #expect(
      mixed
        == (try pixels(
          width: 3,
          height: 1,
          [[255, 127, 127, 255], [9, 9, 9, 0], [1, 2, 3, 255]]
        ))
    )
  }

  @Test func `knows which background is light`() {
    #expect(RGBColour.white.isLight)
    #expect(!RGBColour.black.isLight)
    #expect(!RGBColour(red: 0, green: 0, blue: 255).isLight)
    #expect(RGBColour(red: 0x12, green: 0x34, blue: 0x56).packed == 0x123456)
  }

  private func pixels(width: Int, height: Int, _ pixels: [[UInt8]]) throws -> Picture {
    try #require(Picture(width: width, height: height, bytes: Array(pixels.joined())))
  }
}

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
