import Testing
import Workers

/// The content of a real document, determined by a person who read it.
struct Expected: Sendable, CustomTestStringConvertible {
  let file: String
  var title: String?
  var count = 0
  var first: Expectation.Image?
  var last: Expectation.Image?
  var isDamaged = false

  var testDescription: String { file }

  /// An expectation of one image.
  static func single(
    _ file: String,
    title: String?,
    _ image: Expectation.Image,
    isDamaged: Bool = false
  ) -> Expected {
    Expected(file: file, title: title, count: 1, first: image, last: image, isDamaged: isDamaged)
  }
}

/// Documents that are malformed or in odd encodings; most of them have no images.
struct DamagedDocumentsTests {
  /// The documents that give an error instead of images.
  static let refused = ["malformed/unknown-feed.xml", "malformed/empty-document.xml"]

  @Test(arguments: Expected.encodings + Expected.malformed)
  func `reads a real document`(_ expected: Expected) throws {
    let read = try ReadDocument(ReadDocument.bytes(of: expected.file))

    #expect(read.document.title == expected.title)
    #expect(read.images.count == expected.count)
    #expect(read.images.first.map(Expectation.Image.init) == expected.first)
    #expect(read.images.last.map(Expectation.Image.init) == expected.last)
    #expect(read.document.flaws.isEmpty == !expected.isDamaged, "\(read.document.flaws)")
  }

  @Test(arguments: Expected.encodings + Expected.malformed)
  func `reads the same from chunks of any size`(_ expected: Expected) throws {
    let bytes = try ReadDocument.bytes(of: expected.file)
    let whole = try ReadDocument(bytes)

    for chunk in [1, 7, 1021] { #expect(try ReadDocument(bytes, chunk: chunk) == whole) }
  }

  @Test func `says what documents are that are not feeds`() throws {
    let other = try ReadDocument.bytes(of: Self.refused[0])
    let empty = try ReadDocument.bytes(of: Self.refused[1])

    #expect(throws: FeedError.notAFeed(looksLike: "XML with the root element 'note'")) {
      try ReadDocument(other)
    }
    #expect(throws: FeedError.malformed(.noRoot)) {
      try ReadDocument(empty)
    }
  }
}

extension Expected {
  static let encodings: [Expected] = [
    Expected(file: "encoding/utf-16le-bom.xml"),
    Expected(file: "encoding/utf-16be-autodetect.xml"),
    Expected(file: "encoding/utf-32le-bom.xml"),
    Expected(file: "encoding/utf-32be-autodetect.xml"),
    Expected(file: "encoding/utf-8-bom.xml"),
    Expected(file: "encoding/simplepie-utf16le.xml", title: "Test feed"),
    Expected(file: "encoding/big5.xml"),
    Expected(file: "encoding/euc-kr-item.xml"),
    Expected(file: "encoding/gb2312-detect.xml", isDamaged: true),
    Expected(file: "encoding/shiftjis-detect.xml", isDamaged: true),
    Expected(file: "encoding/koi8r-detect.xml", isDamaged: true),
    Expected(file: "encoding/windows1255-detect.xml", isDamaged: true),
    Expected(file: "encoding/bogus-encoding.xml", isDamaged: true),
    Expected(file: "encoding/mismatch.xml", isDamaged: true),
    Expected(
      file: "encoding/invalid-bytes-with-bom.xml",
      title: "Valid UTF8: ѨInvalid UTF8: España",
      isDamaged: true
    ),
    Expected(file: "encoding/windows-quotes-in-latin1.xml"),
    single(
      "encoding/iso-8859-7-greek.xml",
      title: "Liberal - ΕΠΙΚΑΙΡΟΤΗΤΑ",
      Expectation.Image(
        title: "«Πορτραίτα καραντίνας» για έμπνευση από τη συλλογή Φέλιου",
        thumbnail: nil,
        original: "http://www.liberal.gr/photos/646464564565.jpg"
      )
    ),
    Expected(
      file: "encoding/gzip-no-header.xml.gz",
      title: "Новости Оренбурга и области / Раздел Новости",
      count: 10,
      first: Expectation.Image(
        title: "В Бузулуке главные стройплощадки – детсад и Ледовый дворец",
        thumbnail: nil,
        original: "http://www.oren.ru/upload/iblock/be8/stroitelstvo_krany.jpg"
      ),
      last: Expectation.Image(
        title: "Имя героя увековечат в названии одной из улиц нашего города",
        thumbnail: nil,
        original: "http://www.oren.ru/upload/iblock/271/aleksandrov_vyacheslav_aleksandrovich.jpg"
      )
    ),
  ]

  static let malformed: [Expected] = [
    Expected(file: "malformed/not-xml.xml", isDamaged: true),
    Expected(
      file: "malformed/incomplete-cdata.xml",
      title: "can feedparser read this xml",
      isDamaged: true
    ),
    Expected(file: "malformed/corrupt-ampersands.xml", isDamaged: true),
    Expected(file: "malformed/undeclared-namespace.xml", isDamaged: true),
    Expected(file: "malformed/saxerror.xml", title: "SAXError Test Feed", isDamaged: true),
    Expected(file: "malformed/trailing-meta.xml", title: "Trailing Meta Feed"),
    Expected(
      file: "malformed/whitespace-before-decl.xml",
      title: "Whitespace before XML declaration"
    ),
    Expected(file: "malformed/escape-malformed.xml", title: "llimllib's notes"),
    Expected(file: "malformed/mismatched-html.xml", title: "Lucasdelirium"),
    // This is a logo, but as the enclosure of an item it counts. Only a logo repeated as `image` in JSON Feed does not.
    single(
      "malformed/unexpected-token.xml",
      title: "Wheels Off-Road & 4x4",
      Expectation.Image(
        title: "Wheels24.co.za | WATCH | Range Rover spices up its Velar line-up, adds new hybrid"
          + " model to the range",
        thumbnail: nil,
        original: "https://scripts.24.co.za/img/sites/wheels24.png"
      )
    ),
    // Without a better source, `itunes:image` is the last resort. One category is never closed.
    Expected(
      file: "malformed/single-quoted-attributes.xml",
      title: "All About Everything",
      count: 3,
      first: Expectation.Image(
        title: "Shake Shake Shake Your Spices",
        thumbnail: nil,
        original: "http://example.com/podcasts/everything/AllAboutEverything.jpg"
      ),
      last: Expectation.Image(
        title: "Red, Whine, & Blue",
        thumbnail: nil,
        original: "http://example.com/podcasts/everything/AllAboutEverything.jpg"
      ),
      isDamaged: true
    ),
    Expected(
      file: "malformed/spaces-around-equals.xml",
      title: "Current Watches, Warnings and Advisories for Lincoln (MEC015) Maine Issued by the"
        + " National Weather Service"
    ),
    Expected(
      file: "malformed/feed-rs-invalid.xml",
      title: "Reuters: Most Read Articles",
      isDamaged: true
    ),
    Expected(file: "malformed/leading-spaces.xml", title: "Feed Title"),
    Expected(file: "malformed/namespace-whitespace.xml"),
  ]
}
