import Models
import Testing

struct FeedFormatTests {
  /// The library stores these names, and scripts read them.
  @Test func `keeps the names it has`() {
    #expect(
      FeedFormat.allCases.map(\.rawValue) == [
        "json", "jsonfeed", "rss", "mediarss", "rdf", "atom", "iiif", "sitemap", "opml", "html",
        "oembed", "folder", "gallery",
      ]
    )
  }
}

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

  @Test(arguments: ImageFormat.allCases)
  func `is known by its extension, in any case`(format: ImageFormat) {
    #expect(ImageFormat(fileExtension: format.fileExtension) == format)
    #expect(ImageFormat(fileExtension: format.fileExtension.uppercased()) == format)
  }

  @Test(arguments: ["", "txt", "bak", "jp", "png/x"])
  func `is not known by other extensions`(name: String) {
    #expect(ImageFormat(fileExtension: name) == nil)
  }

  @Test(arguments: ["text/html", "image/", "image/unheard-of"])
  func `knows no format of other media types`(_ mediaType: String) {
    #expect(ImageFormat(mediaType: mediaType) == nil)
  }
}

struct CalendarDayTests {
  @Test(arguments: [
    (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017),
    (2100, 3, 1, 47_541), (1, 1, 1, -719_162), (0, 2, 29, -719_469), (-400, 3, 1, -865_565),
  ])
  func `is counted from 1970`(year: Int, month: Int, day: Int, number: Int) {
    #expect(CalendarDay(year: year, month: month, day: day).daysSince1970 == number)
    #expect(CalendarDay(daysSince1970: number).parts == (year, month, day))
  }

  @Test func `is found again by its parts`() {
    for number in stride(from: -1_000_000, through: 3_000_000, by: 37) {
      let (year, month, day) = CalendarDay(daysSince1970: number).parts
      #expect(CalendarDay(year: year, month: month, day: day).daysSince1970 == number)
    }
  }

  @Test(arguments: [
    (Int64.min, -106_751_991_167_301), (-86_401, -2), (-86_400, -1), (-1, -1), (0, 0), (86_399, 0),
    (86_400, 1), (.max, 106_751_991_167_300),
  ])
  func `contains a second, however far away`(second: Int64, day: Int) {
    #expect(CalendarDay(ofSecond: second).daysSince1970 == day)
    #expect((1...12).contains(CalendarDay(ofSecond: second).parts.month))
  }

  @Test func `runs on into the next month`() {
    let day = CalendarDay(year: 2026, month: 2, day: 31)

    #expect(day == CalendarDay(year: 2026, month: 3, day: 3))
  }
}
