import Imaging
import Models
import PictureFiles
import Testing
import Workers

/// Broken or malicious pictures.
///
/// Each one gives a thumbnail or a reason in bounded memory, and does not affect the next picture.
@Suite(.serialized)
struct HostileTests {
  struct Attack: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
      testDescription = name
      self.bytes = bytes
    }
  }

  static let memoryLimit = 512_000_000

  static let broken: [Attack] = [
    Attack("nothing", []), Attack("zeros", [UInt8](repeating: 0, count: 100_000)),
    Attack("a JPEG's mark alone", [0xFF, 0xD8, 0xFF]),
    Attack("JPEG, cut", JPEGSample(columns: 40, rows: 40, isCut: true) { $0 * $1 % 256 }.bytes),
    Attack("JPEG without pixels", JPEGSample(columns: 0, rows: 0).bytes),
    Attack("JPEG that is none", [0xFF, 0xD8, 0xFF, 0xE0] + noise),
    Attack("PNG, cut", Array(Picture.png.prefix(Picture.png.count / 2))),
    Attack("PNG that is none", Array(Picture.png.prefix(33)) + noise),
    Attack("GIF, cut", Array(GIFSample(width: 90, height: 90, frames: [red]).bytes.prefix(900))),
    Attack("GIF that is none", Array("GIF89a".utf8) + noise),
    Attack("WebP, cut", Array(EncodedSamples.webP.prefix(120))),
    Attack("WebP that is none", Array(EncodedSamples.webP.prefix(24)) + noise),
    Attack("AVIF, cut", Array(EncodedSamples.avif.dropLast(20))),
    Attack("AVIF that is none", Array(EncodedSamples.avif.prefix(60)) + noise),
    Attack("HEIC, cut", Array(EncodedSamples.heic.dropLast(20))),
    Attack("TIFF, cut", Array(Picture.tiff.prefix(200))),
    Attack("BMP, cut", Array(Picture.bmp.prefix(300))),
    Attack("BMP that is none", Array(Picture.bmp.prefix(54)) + noise),
    Attack("icon that is none", Array(Picture.icon(Picture.png).prefix(22)) + noise),
    Attack("PPM, cut", Array(Picture.ppm.prefix(100))),
    Attack("TIFF that is none", Array(Picture.tiff.prefix(12)) + noise),
  ]

  static let traps: [Attack] = [
    Attack(
      "TIFF whose directories go round",
      TIFFSample(width: 32, height: 16, pixels: (0..<16).flatMap(Picture.row), nextDirectory: 8)
        .bytes
    ),
    Attack(
      "TIFF that claims more than it has",
      TIFFSample(width: 60_000, height: 60_000, pixels: [1, 2, 3]).bytes
    ),
    Attack(
      "GIF without end",
      GIFSample(
        width: 9,
        height: 9,
        frames: [[UInt8]](repeating: red, count: 50_000),
        isEndless: true
      ).bytes
    ),
    Attack(
      "GIF of 65,535 x 65,535",
      Array("GIF89a".utf8) + [UInt8](repeating: 0xFF, count: 4) + [0, 0, 0, 0x2C, 0, 0, 0, 0]
        + [UInt8](repeating: 0xFF, count: 4) + [0, 7, 2, 0x80, 0x81, 0, 0x3B]
    ),
    Attack("PPM of 20,000 x 20,000", Array("P6 20000 20000 255\n".utf8)),
    Attack("PNG of 50,000 x 50,000", PNGSample(width: 50_000, height: 50_000, row: none).bytes),
    Attack(
      "interlaced PNG of 20,000 x 20,000",
      PNGSample(width: 20_000, height: 20_000, isInterlaced: true, row: none).bytes
    ),
    Attack("JPEG of 65,528 x 65,528", huge(JPEGSample(columns: 8_191, rows: 8_191))),
    Attack(
      "progressive JPEG of 20,000 x 20,000",
      huge(JPEGSample(columns: 2_500, rows: 2_500, isProgressive: true))
    ),
  ]

  static let polyglots: [Attack] = [
    Attack("JPEG and archive", Picture.jpeg + [0x50, 0x4B, 3, 4] + noise),
    Attack("PNG and page", Picture.png + Array("<html><script src=//example.org></script>".utf8)),
    Attack("GIF and script", Array("GIF89a/*".utf8) + Array("*/=1;alert(1)".utf8) + noise),
    Attack("PDF and JPEG", Array("%PDF-1.4\n".utf8) + Picture.jpeg),
  ]

  private static let red: [UInt8] = [250, 0, 0]
  private static let noise = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 7 >> 3) }

  /// A row without bytes, so the file ends where the first row should begin.
  private static func none(_: Int) -> [UInt8] { [] }

  /// The header of a large picture, and the first kilobyte of the rest.
  private static func huge(_ sample: JPEGSample) -> [UInt8] {
    var small = sample
    (small.columns, small.rows) = (40, 40)
    let sizes = [sample.rows, sample.columns].flatMap { blocks -> [UInt8] in
      [UInt8(truncatingIfNeeded: blocks * 8 >> 8), UInt8(truncatingIfNeeded: blocks * 8)]
    }
    var bytes = small.bytes
    let frame = [0xFF, sample.isProgressive ? 0xC2 : 0xC0] as [UInt8]
    if let place = bytes.firstRange(of: frame) {
      bytes.replaceSubrange(place.upperBound + 3..<place.upperBound + 7, with: sizes)
    }
    return bytes
  }

  static let pool = TestPool(processes: 1)

  @Test(arguments: broken + traps + polyglots)
  func `each gives a thumbnail or a reason`(attack: Attack) async throws {
    do throws(ImagingError) {
      let made = try await Self.pool.pool.thumbnail(of: .bytes(attack.bytes), longestSide: 64)
      #expect(PictureCheck(made.bytes)?.completeness == .whole)
    } catch {
      #expect(isAboutThePicture(error), "\(error)")
    }
    #expect(Self.pool.peakMemory < Self.memoryLimit)
    let next = try await Self.pool.pool.thumbnail(of: .bytes(Picture.png), longestSide: 8)
    #expect(next.info.width == 8)
  }

  @Test(arguments: broken + traps + polyglots)
  func `each gives a rendering or a reason`(attack: Attack) async throws {
    let region = PixelRegion(x: 0, y: 0, width: 8, height: 8)
    let rendering = Rendering(region: region, width: 8, height: 8, turn: .quarter)
    do throws(ImagingError) {
      let file = try await Self.pool.pool.rendered(.bytes(attack.bytes), rendering)
      #expect(PictureCheck(file)?.completeness == .whole)
    } catch {
      #expect(isAboutThePicture(error), "\(error)")
    }
    #expect(Self.pool.peakMemory < Self.memoryLimit)
  }

  @Test(arguments: broken + traps)
  func `no part of one does harm when parts are welcome`(attack: Attack) async throws {
    do throws(ImagingError) {
      let box = PixelSize(width: 64, height: 64)
      let picture = PictureSource.bytes(attack.bytes)
      _ = try await Self.pool.pool.pixels(of: picture, fitting: box, extent: .asFarAsItCame)
    } catch {
      #expect(isAboutThePicture(error), "\(error)")
    }
    #expect(Self.pool.peakMemory < Self.memoryLimit)
  }

  private func isAboutThePicture(_ error: ImagingError) -> Bool {
    switch error {
    case .noDecoder, .cannotStart, .unreadable, .wrongAnswer, .cancelled, .timedOut, .tooMuchWork,
      .crashed:
      false
    case .notAPicture, .unsupported, .undrawn, .tooManyPixels, .tooManyDecodedBytes, .tooMuchMemory,
      .resultTooLarge, .undecodable, .refused:
      true
    }
  }
}
