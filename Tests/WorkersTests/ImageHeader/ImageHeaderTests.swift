import Models
import Testing

@testable import Workers

struct ImageHeaderTests {
  @Test(arguments: [
    (PictureBytes.jpeg, ImageFormat.jpeg), (PictureBytes.png, .png), (PictureBytes.gif, .gif),
    (PictureBytes.bmp, .bmp), (PictureBytes.tiff, .tiff), (PictureBytes.lossyWebP, .webP),
    (PictureBytes.losslessWebP, .webP), (PictureBytes.extendedWebP, .webP),
    (PictureBytes.avif, .avif), (PictureBytes.heic, .heic), (PictureBytes.pbm, .pnm),
    (PictureBytes.bareJPEG2000, .jpeg2000), (PictureBytes.boxedJPEG2000, .jpeg2000),
  ])
  func `reads format and size of a picture`(bytes: [UInt8], format: ImageFormat) throws {
    let header = try #require(ImageHeader(bytes))

    #expect(header.format == format)
    #expect(header.width == 640)
    #expect(header.height == 480)
  }

  @Test func `reads the size of the largest picture of an icon`() throws {
    let header = try #require(ImageHeader(PictureBytes.icon))

    #expect(header.format == .ico)
    #expect((header.width, header.height) == (48, 256))
  }

  @Test(arguments: [
    (PictureBytes.svg, ImageFormat.svg), (PictureBytes.bareJXL, .jpegXL),
    (PictureBytes.boxedJXL, .jpegXL),
  ])
  func `leaves out the size of formats that hide it`(bytes: [UInt8], format: ImageFormat) throws {
    let header = try #require(ImageHeader(bytes))

    #expect(header.format == format)
    #expect(header.width == nil)
    #expect(header.height == nil)
  }

  @Test(arguments: [
    "", "Not found", "<!DOCTYPE html><p>Sorry", "{\"svg\": 1}", "GIF88a", "BMP or not, text it is",
    "<rss/>", "P5 is a name", "P6", "\u{0}\u{0}\u{1}\u{0}\u{1}\u{0}icon or not, text",
    "\u{0}\u{0}\u{0}\u{18}ftypmp42\u{0}\u{0}\u{0}\u{0}isommp42",
  ])
  func `takes nothing else for a picture`(text: String) {
    #expect(ImageHeader(Array(text.utf8)) == nil)
  }

  @Test func `reads a slice that does not begin at 0`() throws {
    let bytes = [1, 2, 3] + PictureBytes.png

    let header = try #require(ImageHeader(bytes.dropFirst(3)))

    #expect(header.format == .png)
    #expect(header.width == 640)
  }

  @Test func `has no size when the bytes do not reach to it`() throws {
    let header = try #require(ImageHeader(Array(PictureBytes.png.prefix(20))))

    #expect(header.format == .png)
    #expect(header.width == nil)
    #expect(header.height == nil)
  }
}
