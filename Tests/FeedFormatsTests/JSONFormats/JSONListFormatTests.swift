import Foundation
import Models
import Testing
import Workers

struct JSONListFormatTests {
  @Test(arguments: ["a.jpg", "./a.jpg", "/scans/a.jpg"])
  func `takes the files that exiftool lists, also by their bare names`(name: String) throws {
    let read = try ReadDocument(
      """
      [{"SourceFile": "\(name)", "FileName": "a.jpg", "Directory": ".", "MIMEType": "image/jpeg",
      "DateTimeOriginal": "2026:10:01 10:00:00"}, {"SourceFile": "b.mp4", "FileName": "b.mp4"}]
      """,
      address: "file:///scans/list.json"
    )

    #expect(read.originals == ["file:///scans/a.jpg"])
    #expect(read.images.first?.published != nil)
  }

  @Test(arguments: [
    #"{"SourceFile": "a.jpg", "XMP:Title": "Harbour", "XMP:Description": "A boat", "EXIF:Artist": "Ada","#
      + #""EXIF:DateTimeOriginal": "2026:10:01 10:00:00", "File:ImageWidth": 640, "File:ImageHeight": 426, "File:FileType": "JPEG"}"#,
    #"{"SourceFile": "a.jpg", "XMP-dc:Title": "Harbour", "XMP-dc:Description": "A boat", "IFD0:Artist": "Ada","#
      + #""ExifIFD:DateTimeOriginal": "2026:10:01 10:00:00", "File:ImageWidth": 640, "File:ImageHeight": 426, "IFD1:ImageWidth": 160}"#,
    #"{"og:image": "a.jpg", "og:title": "Harbour", "og:description": "A boat", "article:author": "Ada","#
      + #""og:image:width": 640, "og:image:height": 426, "og:type": "video.other", "dc:date": "2026-10-01T10:00:00Z"}"#,
    #"{"schema:image": "./a.jpg", "schema:name": "Harbour", "schema:caption": "A boat", "schema:width": 640, "schema:height": 426,"#
      + #""schema:author": {"name": "Ada"}, "schema:datePublished": "2026-10-01T10:00:00Z"}"#,
  ])
  func `reads words whose names have a prefix`(entry: String) throws {
    let read = try ReadDocument("[\(entry)]")

    let image = try #require(read.images.first)
    #expect(read.originals == ["https://example.org/folder/a.jpg"])
    #expect([image.title, image.caption, image.author] == ["Harbour", "A boat", "Ada"])
    #expect(image.published == Date(timeIntervalSince1970: 1_790_848_800))
    #expect([image.width, image.height] == [640, 426])
  }

  @Test func `prefers words whose names have no prefix`() throws {
    let read = try ReadDocument(
      """
      [{"og:title": "Site: Harbour", "title": "Harbour", "image": "https://a.b/1",
      "og:url": "https://a.b/page"}]
      """
    )

    #expect(read.images.first?.title == "Harbour")
    #expect(read.images.first?.pageAddress == WebAddress("https://a.b/page"))
  }

  @Test(arguments: [
    #"{"og:image:url": "https://a.b/1.jpg", "og:url": "https://a.b/page", "og:image:width": 640}"#,
    #"{"media:content": "https://a.b/1.jpg", "og:url": "https://a.b/page"}"#,
  ])
  func `takes the address of a picture with a prefix for no page`(entry: String) throws {
    let read = try ReadDocument("[\(entry)]")

    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.images.first?.pageAddress == WebAddress("https://a.b/page"))
  }

  @Test func `takes no words about somebody else, and no size of a thumbnail`() throws {
    let read = try ReadDocument(
      """
      [{"photo": "https://a.b/1.jpg", "profile:name": "Ada", "user:description": "A writer",
      "thumbnail:width": 160, "thumbnail:height": 120}]
      """
    )

    let image = try #require(read.images.first)
    #expect(image.title != "Ada" && image.caption != "A writer")
    #expect([image.width, image.height] == [nil, nil])
  }

  @Test func `takes an address beside small numbers for no picture`() throws {
    let read = try ReadDocument(
      #"[{"title": "A", "counts": ["https://a.b/page", 3, 5]}, {"title": "B", "photo": "https://a.b/1.jpg"}]"#
    )

    #expect(read.originals == ["https://a.b/1.jpg"])
  }

  @Test(arguments: [
    #"{"img": ["imgs/a.jpg", [1600, 1066]], "thumb": ["thumbs/a.jpg", [168, 112]], "blur": "blurs/a.jpg"}"#,
    #"{"blur": "blurs/a.jpg", "thumb": ["thumbs/a.jpg", [168, 112]], "img": ["imgs/a.jpg", [1600, 1066]]}"#,
    #"{"image": ["imgs/a.jpg", 1600, 1066], "preview": "blurs/a.jpg", "thumbnail": ["thumbs/a.jpg", 168, 112]}"#,
  ])
  func `reads an address with its size in a list of two or three`(entry: String) throws {
    let read = try ReadDocument(#"{"data": [\#(entry)]}"#)

    #expect(read.originals == ["https://example.org/folder/imgs/a.jpg"])
    #expect([read.images.first?.width, read.images.first?.height] == [1600, 1066])
  }

  @Test(arguments: ["jp2", "j2k", "j2c", "jpc", "jpx", "jpf", "hif"])
  func `takes an address with the extension of a picture`(ending: String) throws {
    let read = try ReadDocument(#"[{"original": "a.\#(ending)"}]"#)

    #expect(read.originals == ["https://example.org/folder/a.\(ending)"])
  }

  @Test(arguments: [
    #"{"photos": ["https://a.b/1", "https://a.b/2.png"]}"#,
    #"{"photos": ["https://a.b/1", "https://a.b/2.png", 3]}"#,
  ])
  func `takes two addresses in a list for two pictures`(entry: String) throws {
    #expect(try ReadDocument("[\(entry)]").originals == ["https://a.b/1", "https://a.b/2.png"])
  }

  @Test(arguments: [
    #"["https://a.b/1", "https://a.b/2.png"]"#,
    #"[{"image": "https://a.b/1"}, {"image": "https://a.b/2.png"}]"#,
    #"{"data": {"children": [{"data": {"src": "https://a.b/1"}}, "https://a.b/2.png"]}}"#,
    #"{"first": [{"img_src": "https://a.b/1"}], "second": [{"url": "https://a.b/2.png"}]}"#,
    #"{"7": {"imageUrl": "https://a.b/1"}, "9": {"imageUrl": "https://a.b/2.png"}}"#,
    #"[{"images": ["https://a.b/1", "https://a.b/2.png"]}]"#,
    #"{"primaryImage": "https://a.b/1", "additionalImages": ["https://a.b/2.png"]}"#,
  ])
  func `finds the images wherever they lie`(text: String) throws {
    let read = try ReadDocument(text)

    #expect(read.originals == ["https://a.b/1", "https://a.b/2.png"])
    #expect(read.document.format == .json)
    #expect(read.document.listsEverything)
  }

  @Test func `reads everything an entry says`() throws {
    let read = try ReadDocument(
      """
      [{"id": 12345678901234567890, "title": " A  &amp; B ", "description": "By the sea",
      "photographer": "Jo", "license": "CC0", "created_at": 1033563600, "width": "4000",
      "height": 3000, "download_url": "o", "thumbnail_url": "t.png", "url": "https://a.b/page"},
      {"download_url": "https://a.b/o"}]
      """.replacing("\"o\"", with: "\"/o\"")
    )

    #expect(
      read.images.first
        == FeedImage(
          title: "A & B",
          caption: "By the sea",
          author: "Jo",
          licence: "CC0",
          published: Date(timeIntervalSince1970: 1_033_563_600),
          pageAddress: WebAddress("https://a.b/page"),
          thumbnailAddress: WebAddress("https://example.org/folder/t.png"),
          originalAddress: try #require(WebAddress("https://example.org/o")),
          width: 4000,
          height: 3000
        )
    )
    #expect(read.entries.first?.id == "12345678901234567890")
  }

  @Test(
    arguments: [
      (
        #"{"urls": {"raw": "https://a.b/r", "full": "https://a.b/f", "thumb": "https://a.b/t"}}"#,
        "https://a.b/f", "https://a.b/t"
      ),
      (
        #"{"src": {"tiny": "https://a.b/t?w=280", "original": "https://a.b/o"}}"#,
        "https://a.b/o", "https://a.b/t?w=280"
      ),
      (
        #"{"url": "https://a.b/web.jpg", "hdurl": "https://a.b/hd.jpg"}"#,
        "https://a.b/hd.jpg", "https://a.b/web.jpg"
      ),
      (
        #"{"url": "https://a.b/600", "thumbnailUrl": "https://a.b/150"}"#,
        "https://a.b/600", "https://a.b/150"
      ),
      (
        #"{"url_l": "https://a.b/l", "width_l": 1024, "height_l": 768, "url_s": "https://a.b/s"}"#,
        "https://a.b/l", "https://a.b/s"
      ),
      (
        #"{"images": {"web": {"url": "https://a.b/w"}, "full": {"url": "https://a.b/f"}}}"#,
        "https://a.b/f", "https://a.b/w"
      ),
      (
        #"{"url": "https://a.b/watch", "thumbnail": "https://c.d/poster"}"#,
        "https://c.d/poster", nil
      ),
    ] as [(String, String, String?)]
  )
  func `tells the original from the thumbnail`(
    entry: String,
    original: String,
    thumbnail: String?
  ) throws {
    let read = try ReadDocument("[\(entry)]")

    #expect(read.originals == [original])
    #expect(read.thumbnails == [thumbnail])
  }

  @Test func `keeps the names that entries are keyed by`() throws {
    let read = try ReadDocument(#"{"pages": {"12": {"src": "https://a.b/1"}}}"#)

    #expect(read.entries.map(\.id) == ["12"])
  }

  @Test(arguments: [
    #"{"next_page": "https://a.b/?page=2", "items": ["https://a.b/1.png"]}"#,
    #"{"meta": {"next": 2}, "items": ["https://a.b/1.png"]}"#,
    #"{"total": 100, "items": ["https://a.b/1.png"]}"#,
    #"{"total_pages": 2, "items": ["https://a.b/1.png"]}"#,
    "[]",
    #"{"photos": []}"#,
  ])
  func `never says that a page is everything`(text: String) throws {
    #expect(try !ReadDocument(text).document.listsEverything)
  }

  @Test(arguments: [("page=1", false), ("limit=5", false), ("_limit=5", false), ("tag=sea", true)])
  func `goes by the parameters of the address`(query: String, isEverything: Bool) throws {
    let read = try ReadDocument("[\"https://a.b/1.png\"]", address: "https://a.b/list?\(query)")

    #expect(read.document.listsEverything == isEverything)
  }

  @Test func `says that a list without a next page is everything`() throws {
    let text = #"{"next": null, "total": 1, "pages": 1, "items": ["https://a.b/1.png"]}"#

    #expect(try ReadDocument(text).document.listsEverything)
  }
}

struct JSONPagingTests {
  @Test(
    arguments: [
      (#""next_page": "https://c.d/l?page=2""#, "https://c.d/l?page=2"),
      (#""next_url": "/l/2""#, "https://a.b/l/2"),
      (#""next": "?page=2""#, "https://a.b/l?page=2"),
      (#""next": 2"#, "https://a.b/l?q=sea&page=2"),
      (#""meta": {"next_page": 3}"#, "https://a.b/l?q=sea&page=3"),
      (#""meta": {"pagination": {"next": "https://a.b/l/2"}}"#, "https://a.b/l/2"),
      (#""_links": {"next": {"href": "https://a.b/l/2"}}"#, "https://a.b/l/2"),
      (#""data": {"after": "t3_7y"}"#, "https://a.b/l?q=sea&after=t3_7y"),
      (##""nextPageToken": "a b/=""##, "https://a.b/l?q=sea&pageToken=a%20b%2F%3D"),
      (#""meta": {"next_cursor": "x"}"#, "https://a.b/l?q=sea&cursor=x"),
      (#""page": 1, "total_pages": 4"#, "https://a.b/l?q=sea&page=2"),
      (
        #""continue": {"continue": "||", "gucontinue": "A|1"}"#,
        "https://a.b/l?q=sea&continue=%7C%7C&gucontinue=A%7C1"
      ),
    ]
  )
  func `finds the next page in every way lists name it`(member: String, next: String) throws {
    for text in ["{\(member), \(Self.list)}", "{\(Self.list), \(member)}"] {
      let read = try ReadDocument(text, address: "https://a.b/l?q=sea")

      #expect(read.document.continuation == .nextPage(try #require(WebAddress(next))))
      #expect(!read.document.listsEverything)
      #expect(read.originals == ["https://a.b/1.jpg"])
    }
  }

  @Test(arguments: [
    #""next": null"#, #""next_page": """#, #""data": {"after": null}"#, #""has_more": false"#,
    #""page": 4, "total_pages": 4"#, #""next": "file:///etc/passwd""#, #""prev": "/l/1""#,
    #""next": "https://a.b/l?q=sea""#,
  ])
  func `has no next page where there is none`(member: String) throws {
    let read = try ReadDocument("{\(member), \(Self.list)}", address: "https://a.b/l?q=sea")

    #expect(read.document.continuation == .none)
  }

  @Test func `asks for each page after the one before`() throws {
    let address = "https://a.b/l?page=2&q=sea"

    let read = try ReadDocument(#"{"pages": 3, \#(Self.list)}"#, address: address)

    let next = try #require(WebAddress("https://a.b/l?q=sea&page=3"))
    #expect(read.document.continuation == .nextPage(next))
  }

  @Test func `does not ask for the next page of a file`() throws {
    let read = try ReadDocument(#"{"next": 2, \#(Self.list)}"#, address: "file:///tmp/list.json")

    #expect(read.document.continuation == .none)
    #expect(!read.document.listsEverything)
  }

  @Test func `finds the next page of a list of any size`() throws {
    let photos = (0..<9000).map { #"{"src": "https://a.b/\#($0).jpg", "alt": "A photograph"}"# }
    let text = #"{"photos": [\#(photos.joined(separator: ","))], "meta": {"next": "/2"}}"#

    let read = try ReadDocument(Array(text.utf8), chunk: 5000, address: "https://a.b/l")

    #expect(read.images.count == 9000)
    #expect(read.document.continuation == .nextPage(try #require(WebAddress("https://a.b/2"))))
  }

  private static let list = #""photos": [{"src": "https://a.b/1.jpg"}]"#
}
