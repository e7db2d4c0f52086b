import Foundation
import Imaging
import Models
import TestSupport
import Testing
import Workers

struct FileTests {
  let pool = TestPool.shared.pool
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `a file is decoded where it lies`() async throws {
    let file = "\(folder.path)/picture"
    try Data(Picture.png).write(to: URL(filePath: file))
    let facts = try await pool.inspect(.file(path: file))

    #expect(facts.format == .png)
    #expect((facts.width, facts.height) == (32, 16))
  }

  @Test func `an open file is decoded, whatever has its path by now, and as often as wanted`()
    async throws
  {
    let path = "\(folder.path)/picture"
    try Data(Picture.png).write(to: URL(filePath: path))
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    let file = OpenedFile(path: path, descriptor: descriptor, changed: (0, 0)) { close($0) }
    try FileManager.default.removeItem(atPath: path)
    try Data("no picture".utf8).write(to: URL(filePath: path))

    for _ in 0..<2 {
      let facts = try await pool.inspect(.opened(file))
      #expect((facts.width, facts.height) == (32, 16))
    }
  }

  @Test func `a file that is not there is named`() async {
    let path = "\(folder.path)/missing"

    await #expect(
      throws: ImagingError.unreadable(path: path, message: "No such file or directory")
    ) {
      try await pool.inspect(.file(path: path))
    }
  }

  @Test(arguments: ["/dev/zero", "/"])
  func `does not read what is not a file`(path: String) async {
    await #expect(throws: ImagingError.unreadable(path: path, message: "not a file")) {
      try await pool.inspect(.file(path: path))
    }
  }
}

struct OrientationTests {
  /// The final positions of the top left and top right corners, as columns and rows of the ends.
  static let turns: [(orientation: Int, left: (Int, Int), right: (Int, Int))] = [
    (1, (0, 0), (1, 0)), (2, (1, 0), (0, 0)), (3, (1, 1), (0, 1)), (4, (0, 1), (1, 1)),
    (5, (0, 0), (0, 1)), (6, (1, 0), (1, 1)), (7, (1, 1), (1, 0)), (8, (0, 1), (0, 0)),
  ]

  let pool = TestPool.shared.pool

  @Test(arguments: 1...8)
  func `a picture is turned as its orientation says`(orientation: Int) async throws {
    // White at the top left, grey at the top right, black elsewhere.
    let jpeg = JPEGSample(columns: 6, rows: 4, orientation: orientation) { column, row in
      row > 0 ? 0 : column == 0 ? 255 : column == 5 ? 128 : 0
    }
    let box = PixelSize(width: 48, height: 48)
    let pixels = try await pool.pixels(of: .bytes(jpeg.bytes), fitting: box, extent: .whole)

    let isOnItsSide = orientation > 4
    #expect((pixels.width, pixels.height) == (isOnItsSide ? (32, 48) : (48, 32)))
    #expect((pixels.source.width, pixels.source.height) == (48, 32))
    #expect(pixels.source.orientation == orientation)
    let turn = try #require(Self.turns.first { $0.orientation == orientation })
    #expect(grey(pixels, turn.left) > 240)
    #expect((110...146).contains(grey(pixels, turn.right)))
  }

  @Test(arguments: [1, 6])
  func `a thumbnail is upright and says nothing of turning`(orientation: Int) async throws {
    let jpeg = JPEGSample(columns: 6, rows: 4, orientation: orientation) { _, _ in 100 }
    let made = try await pool.thumbnail(of: .bytes(jpeg.bytes), longestSide: 24)
    let facts = try await pool.inspect(.bytes(made.bytes))

    #expect((made.info.width, made.info.height) == (orientation == 6 ? (16, 24) : (24, 16)))
    #expect(facts.orientation == 1)
    #expect(made.bytes.firstRange(of: Array("Exif".utf8)) == nil)
  }

  @Test(arguments: [1, 6])
  func `a cut picture with a profile is damaged, also on its side`(orientation: Int) async {
    let jpeg = JPEGSample(
      columns: 40,
      rows: 40,
      orientation: orientation,
      isCut: true,
      profile: ProfileSample.grey
    ) { _, _ in 255 }
    let box = PixelSize(width: 320, height: 320)

    let error = await #expect(throws: ImagingError.self) {
      try await pool.pixels(of: .bytes(jpeg.bytes), fitting: box, extent: .whole)
    }

    guard case .undecodable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  private func grey(_ pixels: DecodedPixels, _ corner: (Int, Int)) -> Int {
    let x = corner.0 == 0 ? 4 : pixels.width - 4
    let y = corner.1 == 0 ? 4 : pixels.height - 4
    return pixels.colour(x, y)[0]
  }
}

struct PartialTests {
  let pool = TestPool.shared.pool
  let box = PixelSize(width: 320, height: 320)
  /// White except for the missing part.
  let cut = JPEGSample(columns: 40, rows: 40, isCut: true) { _, _ in 255 }.bytes

  @Test func `a part of a picture is shown as far as it came`() async throws {
    let pixels = try await pool.pixels(of: .bytes(cut), fitting: box, extent: .asFarAsItCame)

    #expect((pixels.width, pixels.height) == (320, 320))
    #expect(pixels.has([255, 255, 255, 255], at: 160, 40))
    #expect(!pixels.has([255, 255, 255, 255], at: 160, 310, tolerance: 60))
  }

  @Test func `a part of a picture is not taken for all of it`() async {
    await #expect(throws: ImagingError.self) {
      try await pool.pixels(of: .bytes(cut), fitting: box, extent: .whole)
    }
    await #expect(throws: ImagingError.self) {
      try await pool.thumbnail(of: .bytes(cut), longestSide: 64)
    }
  }
}
