import Imaging
import Models
import PictureFiles
import Testing
import Workers

struct RenderingTests {
  let pool = TestPool.shared.pool

  /// A picture of 12 x 8 pixels, each with a different colour.
  static let mosaic = PNGSample(width: 12, height: 8) { row in
    (0..<12).flatMap { [UInt8($0 * 20), UInt8(row * 30), 200] }
  }.bytes

  /// The pixels of a rendered file.
  private func pixels(_ bytes: [UInt8], _ rendering: Rendering) async throws -> DecodedPixels {
    let file = try await pool.rendered(.bytes(bytes), rendering)
    let box = PixelSize(width: Rendering.longestSide, height: Rendering.longestSide)
    return try await pool.pixels(of: .bytes(file), fitting: box, extent: .whole)
  }

  private static func whole(_ width: Int, _ height: Int) -> Rendering {
    let region = PixelRegion(x: 0, y: 0, width: width, height: height)
    return Rendering(region: region, width: width, height: height, encoding: .png)
  }

  @Test(arguments: [
    PixelRegion(x: 0, y: 0, width: 12, height: 8), PixelRegion(x: 3, y: 2, width: 5, height: 4),
    PixelRegion(x: 11, y: 7, width: 1, height: 1), PixelRegion(x: 0, y: 5, width: 12, height: 3),
  ])
  func `a region has the pixels that it has in the picture`(region: PixelRegion) async throws {
    let rendering = Rendering(
      region: region,
      width: region.width,
      height: region.height,
      encoding: .png
    )
    let pixels = try await pixels(Self.mosaic, rendering)

    #expect((pixels.width, pixels.height) == (region.width, region.height))
    for y in 0..<region.height {
      for x in 0..<region.width {
        #expect(pixels.colour(x, y) == [(region.x + x) * 20, (region.y + y) * 30, 200, 255])
      }
    }
  }

  @Test(arguments: 1...8)
  func `a region is one of the upright picture`(orientation: Int) async throws {
    let jpeg = JPEGSample(columns: 6, rows: 4, orientation: orientation) { column, row in
      column * 40 + row * 10
    }.bytes
    let box = PixelSize(width: 48, height: 48)
    let upright = try await pool.pixels(of: .bytes(jpeg), fitting: box, extent: .whole)
    let region = PixelRegion(x: 5, y: 9, width: 21, height: 13)
    let rendering = Rendering(region: region, width: 21, height: 13, encoding: .png)
    let pixels = try await pixels(jpeg, rendering)

    for y in 0..<13 {
      for x in 0..<21 { #expect(pixels.colour(x, y) == upright.colour(x + 5, y + 9)) }
    }
  }

  @Test(arguments: [1, 6])
  func `a region is scaled to exactly the size`(orientation: Int) async throws {
    // A chessboard with squares of 80 pixels; a JPEG decoder can shrink a picture to an eighth at most.
    let jpeg = JPEGSample(columns: 100, rows: 100, orientation: orientation) { column, row in
      (column / 10 + row / 10) % 2 * 255
    }.bytes
    let region = PixelRegion(x: 80, y: 160, width: 480, height: 320)
    for (width, height) in [(479, 319), (60, 40), (12, 32), (48, 4), (1, 1)] {
      let rendering = Rendering(region: region, width: width, height: height, encoding: .png)
      let pixels = try await pixels(jpeg, rendering)

      #expect((pixels.width, pixels.height) == (width, height))
    }
    let small = Rendering(region: region, width: 60, height: 40, encoding: .png)
    let pixels = try await pixels(jpeg, small)
    // After a quarter turn, each square of a ten by ten chessboard has the other colour.
    let first = orientation == 1 ? 255 : 0
    for (column, row) in [(0, 0), (1, 0), (2, 1), (5, 3)] {
      let grey = pixels.colour(column * 10 + 5, row * 10 + 5)[0]
      #expect(abs(grey - ((column + row) % 2 == 0 ? first : 255 - first)) < 12)
    }
  }

  static let turns: [(Rendering.Turn, isMirrored: Bool, corner: [Int])] = [
    (.none, false, [0, 0]), (.quarter, false, [0, 7]), (.half, false, [11, 7]),
    (.threeQuarters, false, [11, 0]), (.none, true, [11, 0]), (.quarter, true, [11, 7]),
    (.half, true, [0, 7]), (.threeQuarters, true, [0, 0]),
  ]

  @Test(arguments: turns)
  func `a picture is mirrored, then turned clockwise`(
    turn: Rendering.Turn,
    isMirrored: Bool,
    corner: [Int]
  ) async throws {
    var rendering = Self.whole(12, 8)
    (rendering.turn, rendering.isMirrored) = (turn, isMirrored)
    let pixels = try await pixels(Self.mosaic, rendering)

    #expect((pixels.width, pixels.height) == rendering.turned)
    #expect(pixels.colour(0, 0) == [corner[0] * 20, corner[1] * 30, 200, 255])
  }

  @Test(arguments: Rendering.Encoding.allCases)
  func `a grey picture has no colours`(encoding: Rendering.Encoding) async throws {
    var rendering = Self.whole(32, 16)
    (rendering.colours, rendering.encoding) = (.grey, encoding)
    let pixels = try await pixels(Picture.png, rendering)
    let (red, blue) = (pixels.colour(4, 8), pixels.colour(28, 8))

    #expect(Set(red[..<3]).count == 1)
    #expect(Set(blue[..<3]).count == 1)
    #expect(red[0] > blue[0])
  }

  @Test(arguments: [Rendering.Turn.none, .quarter])
  func `a picture in black and white has nothing else`(turn: Rendering.Turn) async throws {
    let ramp = PNGSample(width: 16, height: 1) { _ in
      (0..<16).flatMap { [UInt8]([UInt8](repeating: UInt8($0 * 17), count: 3)) }
    }.bytes
    var rendering = Self.whole(16, 1)
    (rendering.colours, rendering.turn) = (.blackAndWhite, turn)
    let pixels = try await pixels(ramp, rendering)
    let greys = stride(from: 0, to: pixels.rgba.count, by: 4).map { pixels.rgba[$0] }

    #expect(greys == [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 255, count: 8))
  }

  @Test func `transparency stays in a PNG and is white in a JPEG`() async throws {
    let clear = PNGSample(width: 16, height: 16, colour: .rgba) { _ in
      [UInt8](repeating: 0, count: 64)
    }.bytes
    var rendering = Self.whole(16, 16)
    #expect(try await pixels(clear, rendering).colour(8, 8)[3] == 0)

    rendering.encoding = .jpeg
    #expect(try await pixels(clear, rendering).has([255, 255, 255, 255], at: 8, 8))

    (rendering.encoding, rendering.colours) = (.png, .blackAndWhite)
    #expect(try await pixels(clear, rendering).colour(8, 8) == [255, 255, 255, 255])
  }

  @Test(arguments: FormatTests.coloured, Rendering.Encoding.allCases)
  func `each format is rendered as it looks`(
    sample: FormatTests.Sample,
    encoding: Rendering.Encoding
  ) async throws {
    var rendering = Self.whole(32, 16)
    rendering.encoding = encoding
    let file = try await pool.rendered(.bytes(sample.bytes), rendering)
    let box = PixelSize(width: 32, height: 16)
    let pixels = try await pool.pixels(of: .bytes(file), fitting: box, extent: .whole)

    #expect(PictureCheck(file)?.info.format == encoding.format)
    #expect(pixels.has([250, 10, 10, 255], at: 4, 8))
    #expect(pixels.has([10, 10, 250, 255], at: 28, 8))
  }

  @Test(arguments: Rendering.Encoding.allCases)
  func `metadata is not rendered`(encoding: Rendering.Encoding) async throws {
    let jpeg = JPEGSample(columns: 2, rows: 2, orientation: 1) { _, _ in 100 }.bytes
    var rendering = Self.whole(16, 16)
    rendering.encoding = encoding
    let file = try await pool.rendered(.bytes(jpeg), rendering)

    for name in ["Exif", "eXIf", "ICC_PROFILE", "iCCP", "XML"] {
      #expect(file.firstRange(of: Array(name.utf8)) == nil)
    }
  }

  @Test func `a grid has the colours of the picture's parts`() async throws {
    let grid = try await pool.colourGrid(of: .bytes(Picture.png))
    let (red, blue) = (Picture.red, Picture.blue)

    #expect(grid.count == ColourGrid.bytes)
    for row in 0..<ColourGrid.rows {
      let start = 3 * ColourGrid.columns * row
      for (cell, colour) in [(0, red), (3, blue)] {
        let found = grid[(start + 3 * cell)..<(start + 3 * cell + 3)]
        #expect(zip(found, colour).allSatisfy { abs(Int($0) - Int($1)) <= 12 })
      }
    }
  }

  @Test(arguments: [
    Picture.jpeg, Picture.interlacedPNG, EncodedSamples.halfTransparentWebP, Picture.bmp,
  ])
  func `each picture has a grid`(bytes: [UInt8]) async throws {
    #expect(try await pool.colourGrid(of: .bytes(bytes)).count == ColourGrid.bytes)
  }
}

/// Renderings that are impossible, and renderings that need much work.
@Suite(.serialized)
struct RenderingLimitTests {
  static let pool = TestPool(processes: 1)

  private var pool: ImageDecoderPool { Self.pool.pool }

  @Test func `a region whose end is missing is refused`() async {
    let cut = JPEGSample(columns: 40, rows: 40, isCut: true) { $0 * $1 % 256 }.bytes
    let region = PixelRegion(x: 0, y: 0, width: 320, height: 320)

    await #expect(throws: ImagingError.self) {
      try await pool.rendered(.bytes(cut), Rendering(region: region, width: 32, height: 32))
    }
  }

  @Test(arguments: [
    PixelRegion(x: 1, y: 0, width: 32, height: 16), PixelRegion(x: 0, y: 1, width: 32, height: 16),
    PixelRegion(x: 32, y: 16, width: 1, height: 1),
    PixelRegion(x: 0, y: 0, width: Int(Int32.max), height: Int(Int32.max)),
  ])
  func `a region beyond the picture is refused`(region: PixelRegion) async {
    let rendering = Rendering(region: region, width: 1, height: 1)
    let reason = "the region is not within the picture"

    await #expect(throws: ImagingError.refused(message: reason)) {
      try await pool.rendered(.bytes(Picture.png), rendering)
    }
  }

  @Test(arguments: [(20_000, 10), (10, 20_000), (6_001, 6_000), (0, 1)])
  func `a size beyond the limits is not asked for`(width: Int, height: Int) async {
    let region = PixelRegion(x: 0, y: 0, width: 30_000, height: 30_000)
    let rendering = Rendering(region: region, width: width, height: height)

    await #expect(throws: ImagingError.resultTooLarge(limit: 36_000_000)) {
      try await pool.rendered(.bytes(Picture.png), rendering)
    }
  }

  @Test(
    arguments: Rendering.Encoding.allCases,
    [Rendering.Turn.none, .quarter]
  )
  func `the largest rendering stays within memory`(
    encoding: Rendering.Encoding,
    turn: Rendering.Turn
  ) async throws {
    let jpeg = JPEGSample(columns: 750, rows: 750) { column, row in column * row % 256 }.bytes
    let region = PixelRegion(x: 0, y: 0, width: 6_000, height: 6_000)
    let rendering = Rendering(
      region: region,
      width: 6_000,
      height: 6_000,
      turn: turn,
      encoding: encoding
    )
    let file = try await pool.rendered(.bytes(jpeg), rendering)

    #expect(PictureCheck(file)?.info.width == 6_000)
    #expect(Self.pool.peakMemory < HostileTests.memoryLimit)
  }
}
