import Models
import Testing
import Workers

/// Small documents in the shapes that public services return.
struct JSONListShapesTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    var title: String?
    let original: String
    var thumbnail: String?
    var next: String?

    var testDescription: String { name }
  }

  @Test(arguments: shapes)
  func `reads the shapes that services give`(_ shape: Shape) throws {
    let read = try ReadDocument(shape.text, address: "https://a.b/l.json")

    #expect(read.originals == [shape.original])
    #expect(read.thumbnails == [shape.thumbnail])
    #expect(read.titles == [shape.title])
    let next = shape.next.flatMap { WebAddress($0) }
    #expect(read.document.continuation == next.map { .nextPage($0) } ?? .none)
  }

  @Test(arguments: [
    (#""width": 1200, "height": 800, "size": 19000"#, 19_000), (#""size": 400"#, nil),
    (#""size": 21000"#, 21_000), (#""fileSize": 900000, "w": 1200, "h": 800"#, 900_000),
    (#""size_in_bytes": "a lot""#, nil),
  ])
  func `takes the length of a picture's file`(_ members: String, _ bytes: Int?) throws {
    // Airtable's attachments have their name, their length and a signed address.
    let text = """
      {"records": [{"id": "rec1", "fields": {"Photo": [{"id": "att1", "filename": "1.png",
      "url": "https://a.b/v3/17000/sig/1.png", \(members)}]}}]}
      """
    let read = try ReadDocument(text, address: "https://a.b/l.json")

    #expect(read.entries.flatMap(\.images).map(\.bytes) == [bytes])
  }

  private static let shapes = [
    Shape(
      name: "Picsum",
      text: """
        [{"id": "0", "author": "Jo", "width": 5616, "height": 3744,
        "url": "https://c.d/photos/yC", "download_url": "https://e.f/id/0/5616/3744"}]
        """,
      original: "https://e.f/id/0/5616/3744"
    ),
    Shape(
      name: "Pexels",
      text: """
        {"page": 1, "per_page": 1, "total_results": 8000, "next_page": "https://a.b/?page=2",
        "photos": [{"id": 1, "width": 2296, "height": 3600, "url": "https://c.d/photo/1/",
        "alt": "A house", "src": {"original": "https://e.f/1.jpeg",
        "large2x": "https://e.f/1.jpeg?h=650&w=940", "medium": "https://e.f/1.jpeg?h=350",
        "tiny": "https://e.f/1.jpeg?h=200&w=280"}}]}
        """,
      title: "A house",
      original: "https://e.f/1.jpeg",
      thumbnail: "https://e.f/1.jpeg?h=200&w=280",
      next: "https://a.b/?page=2"
    ),
    Shape(
      name: "Unsplash, one photo",
      text: """
        {"id": "p", "created_at": "2017-05-30T17:30:44-04:00", "width": 3456, "height": 2304,
        "urls": {"raw": "https://e.f/4.jpg", "full": "https://e.f/4.jpg?q=85",
        "small": "https://e.f/4.jpg?w=400", "thumb": "https://e.f/4.jpg?w=200"},
        "links": {"html": "https://c.d/p"}, "user": {"name": "Jo",
        "profile_image": {"large": "https://e.f/face.jpg"}}}
        """,
      original: "https://e.f/4.jpg?q=85",
      thumbnail: "https://e.f/4.jpg?w=200"
    ),
    Shape(
      name: "Flickr's public feed",
      text: """
        jsonFlickrFeed({"title": "Uploads", "link": "https://c.d/", "items": [{"title": "Porcupine",
        "link": "https://c.d/1/", "media": {"m": "https:\\/\\/e.f\\/1_m.jpg"},
        "description": " <p><img src=\\"https://e.f/1_m.jpg\\"></p>",
        "author": "nobody@c.d (\\"Jo\\")"}]})
        """,
      title: "Porcupine",
      original: "https://e.f/1_m.jpg"
    ),
    Shape(
      name: "Flickr's public feed, bare",
      text: """
        {"title": "Uploads", "link": "https://c.d/", "description": "", "modified":
        "2017-05-11T11:53:40Z", "generator": "https://c.d/", "items": [{"title": "Porcupine",
        "link": "https://c.d/1/", "media": {"m": "https://e.f/1_m.jpg"},
        "date_taken": "2017-05-06T12:46:09-08:00", "published": "2017-05-11T11:53:40Z",
        "description": " <p><img src=\\"https://e.f/1_m.jpg\\"></p>", "tags": "a b"}]}
        """,
      title: "Porcupine",
      original: "https://e.f/1_m.jpg"
    ),
    Shape(
      name: "Reddit, a link",
      text: """
        {"kind": "Listing", "data": {"after": "t3_b", "children": [{"kind": "t3", "data": {
        "id": "a", "title": "Waves", "thumbnail": "nsfw", "permalink": "/r/a/", "url":
        "https://v.w/x", "preview": {"images": [{"source": {"url": "https://e.f/1.jpg?a=1&amp;s=2",
        "width": 1024, "height": 512}, "resolutions": [
        {"url": "https://e.f/1.jpg?w=108&amp;s=3", "width": 108, "height": 54},
        {"url": "https://e.f/1.jpg?w=216&amp;s=4", "width": 216, "height": 108}]}]}}},
        {"kind": "t3", "data": {"id": "b", "title": "A text", "thumbnail": "self",
        "url": "https://c.d/r/b/"}}]}}
        """,
      title: "Waves",
      original: "https://e.f/1.jpg?a=1&s=2",
      thumbnail: "https://e.f/1.jpg?w=216&s=4",
      next: "https://a.b/l.json?after=t3_b"
    ),
    Shape(
      name: "Reddit, a picture",
      text: """
        {"data": {"after": null, "children": [{"data": {"id": "a", "title": "Waves",
        "thumbnail": "https://e.f/t.jpg", "url": "https://e.f/1.png", "preview": {"images": [{
        "source": {"url": "https://e.f/p.png"}, "resolutions": [
        {"url": "https://e.f/p.png?w=320", "width": 320, "height": 200}]}]}}}]}}
        """,
      title: "Waves",
      original: "https://e.f/1.png",
      thumbnail: "https://e.f/p.png?w=320"
    ),
    Shape(
      name: "a list of addresses",
      text: #"["https://e.f/photo-1?fit=crop&w=2900"]"#,
      original: "https://e.f/photo-1?fit=crop&w=2900"
    ),
    Shape(
      name: "a list of wallpapers",
      text: """
        {"wallpapers": [{"author": "Jo", "url": "https://e.f/master/Clouds.jpg", "name": "Clouds",
        "thumbnail": "https://e.f/blob/Clouds_t.jpg"}]}
        """,
      title: "Clouds",
      original: "https://e.f/master/Clouds.jpg",
      thumbnail: "https://e.f/blob/Clouds_t.jpg"
    ),
    Shape(
      name: "Openverse",
      text: """
        {"result_count": 240, "page_count": 12, "page_size": 20, "page": 1, "results": [
        {"id": "4bc", "title": "Wren", "foreign_landing_url": "https://c.d/1", "url":
        "https://e.f/1.jpg", "creator": "Jo", "license": "by", "thumbnail": "/v1/4bc/thumb/",
        "filetype": "jpg", "height": 683, "width": 1024}]}
        """,
      title: "Wren",
      original: "https://e.f/1.jpg",
      thumbnail: "https://a.b/v1/4bc/thumb/",
      next: "https://a.b/l.json?page=2"
    ),
    Shape(
      name: "pictures among other files",
      text:
        #"["https://e.f/1.pdf", "https://e.f/1.mp4", {"url": "https://e.f/1.ogv", "width": 900, "height": 900}, "https://e.f/1.jpg"]"#,
      original: "https://e.f/1.jpg"
    ),
  ]

  @Test func `says that a list is cut off when nothing of it can be read`() {
    #expect(throws: FeedError.malformed(.cutOff)) {
      try ReadDocument(#"{"total": 2, "hits": [{"id": 1, "tags": "sea"}"#)
    }
  }

  @Test(arguments: [
    ("a.jpg", "b.jpg", 2), ("a-2048.jpg", "a-1024.jpg", 1), ("a_l.jpg", "a_m.jpg", 1),
    ("a.jpg", "a.jpg?w=2000", 1),
  ])
  func `tells two pictures of one shape from two sizes of one`(
    _ one: String,
    _ other: String,
    _ count: Int
  ) throws {
    let read = try ReadDocument(
      """
      [{"id": 1, "title": "Wren", "images": [{"url": "/\(one)", "width": 4000, "height": 3000},
        {"url": "/\(other)", "width": 2000, "height": 1500}]}]
      """
    )

    #expect(read.images.count == count)
  }

  @Test func `reads an empty list as one without images`() throws {
    let read = try ReadDocument("[]")

    #expect(read.images.isEmpty)
    #expect(!read.document.listsEverything)
  }
}
