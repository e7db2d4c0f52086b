import Models
import Testing

struct ImageFormatTests {
  @Test(arguments: [
    (ImageFormat.jpeg, "image/jpeg", "jpg"), (.png, "image/png", "png"),
    (.gif, "image/gif", "gif"), (.webP, "image/webp", "webp"), (.avif, "image/avif", "avif"),
    (.heic, "image/heic", "heic"), (.tiff, "image/tiff", "tif"), (.bmp, "image/bmp", "bmp"),
    (.ico, "image/vnd.microsoft.icon", "ico"), (.pnm, "image/x-portable-anymap", "pnm"),
    (.jpeg2000, "image/jp2", "jp2"), (.jpegXL, "image/jxl", "jxl"), (.svg, "image/svg+xml", "svg"),
  ])
  func `knows its media type and its extension`(
    _ format: ImageFormat,
    _ mediaType: String,
    _ fileExtension: String
  ) {
    #expect(format.mediaType == mediaType)
    #expect(format.fileExtension == fileExtension)
    #expect(ImageFormat(mediaType: mediaType) == format)
  }

  @Test(arguments: ["text/html", "image/", "image/unheard-of"])
  func `knows no format of other media types`(_ mediaType: String) {
    #expect(ImageFormat(mediaType: mediaType) == nil)
  }
}
