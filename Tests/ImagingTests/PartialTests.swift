import Imaging
import Testing
import Workers

struct PartialTests {
  let pool = TestPool.shared.pool
  let box = PixelBox(width: 320, height: 320)
  /// White but for what has not come.
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
