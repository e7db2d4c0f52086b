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

  /// A picture of a logo, whose ground is transparent.
  private func logo(_ grey: UInt8, clear: Int = 4) throws -> Picture {
    let solid = Array(repeating: [grey, grey, grey, 255] as [UInt8], count: 8)
    return try pixels(
      width: 1,
      height: 8 + clear,
      solid + Array(repeating: [9, 9, 9, 0], count: clear)
    )
  }

  @Test(
    arguments: [
      (0, .black, 192), (30, .black, 192), (255, .white, 64), (200, .white, 64),
      (0, .white, nil), (255, .black, nil), (128, .black, nil),
      (0, nil, 192), (255, nil, 64),
    ] as [(UInt8, RGBColour?, UInt8?)]
  )
  func `puts a logo on a ground where it would hardly be seen`(
    grey: UInt8,
    background: RGBColour?,
    ground: UInt8?
  ) throws {
    let logo = try logo(grey)

    let grounded = logo.grounded(on: background)

    guard let ground else { return #expect(grounded == logo) }
    #expect(Array(grounded.bytes.prefix(4)) == [grey, grey, grey, 255])
    #expect(Array(grounded.bytes.suffix(4)) == [ground, ground, ground, 255])
    #expect(grounded.isOpaque)
  }

  @Test func `gives no ground to round corners, and to pictures without opaque or clear pixels`()
    throws
  {
    let corners = try pixels(
      width: 1,
      height: 101,
      Array(repeating: [0, 0, 0, 255], count: 100) + [clear]
    )
    let empty = try Picture.plain(width: 2, height: 2, colour: [9, 9, 9, 0])
    let half = try Picture.plain(width: 2, height: 2, colour: [0, 0, 0, 128])
    for picture in try [corners, empty, half, .plain(width: 2, height: 2)] {
      #expect(picture.grounded(on: .black) == picture)
      #expect(picture.grounded(on: nil) == picture)
    }
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
