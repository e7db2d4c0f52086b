import FoundationEssentials
import Models
import Testing
import Workers

struct IIIFFormatTests {
  private static let context = #""@context": "http://iiif.io/api/presentation/3/context.json""#

  @Test func `reads everything a manifest and a canvas say`() throws {
    let read = try ReadDocument(
      """
      {\(Self.context), "id": "https://a.b/m", "type": "Manifest", "label": {"en": ["Book"]},
      "metadata": [{"label": {"en": ["Artist"]}, "value": {"en": ["<b>Jo</b>"]}}],
      "rights": "https://a.b/cc0", "homepage": [{"id": "https://a.b/page", "type": "Text"}],
      "items": [{"id": "https://a.b/c1", "type": "Canvas", "label": {"none": ["p. 1"]},
      "summary": {"en": ["By the sea"]}, "items": [{"type": "AnnotationPage", "items": [
      {"type": "Annotation", "motivation": "painting", "body": {"type": "Image",
      "id": "https://a.b/1.jpg", "width": 600, "height": 800}}]}]}]}
      """
    )

    #expect(
      read.images == [
        FeedImage(
          title: "Book, p. 1",
          caption: "By the sea",
          author: "Jo",
          licence: "https://a.b/cc0",
          pageAddress: WebAddress("https://a.b/page"),
          originalAddress: try #require(WebAddress("https://a.b/1.jpg")),
          width: 600,
          height: 800
        )
      ]
    )
    #expect(read.entries.map(\.id) == ["https://a.b/c1"])
    #expect(read.document.title == "Book")
    #expect(read.document.listsEverything)
  }

  @Test(
    arguments: [
      (
        #""label": {"none": ["Moon"]}, "homepage": [{"id": "https://a.b/7", "type": "Text"}],"#,
        "Moon"
      ),
      (#""homepage": [{"id": "https://a.b/7", "type": "Text"}],"#, nil),
      (#""label": {"none": ["Moon"]},"#, "Manifest, Moon"),
    ]
  )
  func `a canvas with a page of its own has a title of its own`(
    members: String,
    title: String?
  ) throws {
    let read = try manifest(members, service: #""https://a.b/i""#)

    #expect(read.titles == [title])
  }

  @Test(
    arguments: [
      (#""navDate": "2002-10-02T13:00:00Z","#, 1_033_563_600),
      (
        #"""
        "navDate": "1999-01-01T00:00:00Z",
        "metadata": [{"label": "Date", "value": "2002-10-02T13:00:00Z"}],
        """#, 1_033_563_600
      ),
      (#""navDate": "soon","#, nil),
    ]
  )
  func `the place in time is the date when no other is known`(
    members: String,
    seconds: Double?
  ) throws {
    let read = try manifest(members, service: #""https://a.b/i""#)

    #expect(read.images.map(\.published) == [seconds.map(Date.init(timeIntervalSince1970:))])
  }

  @Test(
    arguments: [
      (#""Book""#, "Manifest, Book"),
      (#"{"en": ["Book", "Tome"]}"#, "Manifest, Book"),
      (#"{"fr": ["Livre"], "en": ["Book"]}"#, "Manifest, Book"),
      (#"{"fr": ["Livre"], "none": ["B"]}"#, "Manifest, B"),
      (#"{"fr": ["Livre"]}"#, "Manifest, Livre"),
      (#"{"@value": "Book", "@language": "en"}"#, "Manifest, Book"),
      (
        #"[{"@value": "Livre", "@language": "fr"}, {"@value": "Book", "@language": "en"}]"#,
        "Manifest, Book"
      ),
      (#"["Book", "Tome"]"#, "Manifest, Book"),
      (#"[{"@value": "Livre", "@language": "fr"}]"#, "Manifest, Livre"),
      ("7", "Manifest, 7"),
      (#""-""#, "Manifest"),
      (#"{"none": []}"#, "Manifest"),
    ]
  )
  func `reads labels in every shape, and has the manifest's for none`(
    label: String,
    title: String
  ) throws {
    let read = try manifest(#""label": \#(label), "#, service: #""https://a.b/i""#)

    #expect(read.titles == [title])
  }

  @Test(
    arguments: [
      (#""https://a.b/i""#, "max", "default"),
      (#"{"id": "https://a.b/i", "type": "ImageService3", "profile": "level2"}"#, "max", "default"),
      (#"[{"@id": "https://a.b/i/", "@type": "ImageService2"}]"#, "full", "default"),
      (
        #"{"@id": "https://a.b/i/info.json", "profile": "http://iiif.io/api/image/2/level1.json"}"#,
        "full", "default"
      ),
      (
        #"{"@id": "https://a.b/i", "profile": ["http://iiif.io/api/image/2/level2.json", {"a": 1}]}"#,
        "full", "default"
      ),
      (
        #"{"@id": "https://a.b/i", "@context": "http://iiif.io/api/image/2/context.json"}"#, "full",
        "default"
      ),
      (
        #"{"@id": "https://a.b/i", "profile": "http://library.stanford.edu/iiif/image-api/1.1/x#level1"}"#,
        "full", "native"
      ),
      (
        #"[{"@id": "https://a.b/old", "@type": "ImageService2"}, {"id": "https://a.b/i", "type": "ImageService3"}]"#,
        "max", "default"
      ),
      (
        #"[{"@id": "https://a.b/login", "profile": "http://iiif.io/api/auth/1/login"}, "https://a.b/i"]"#,
        "max", "default"
      ),
    ]
  )
  func `asks the service, however it is written`(
    service: String,
    size: String,
    quality: String
  ) throws {
    let read = try manifest("", service: service)

    #expect(read.originals == ["https://a.b/i/full/\(size)/0/\(quality).jpg"])
    #expect(read.thumbnails == ["https://a.b/i/full/320,/0/\(quality).jpg"])
  }

  @Test(
    arguments: [
      (
        #"{"width": 100, "height": 80}, {"width": 200, "height": 160}, {"width": 400, "height": 320}"#,
        "200,160"
      ),
      (#"{"width": 90, "height": 150}, {"width": 100, "height": 180}"#, "100,180"),
      ("", nil),
    ] as [(String, String?)]
  )
  func `takes the thumbnail from the sizes of a service that has no others`(
    sizes: String,
    size: String?
  ) throws {
    let service = #"{"id": "https://a.b/i", "profile": "level0", "sizes": [\#(sizes)]}"#

    let read = try manifest("", service: service)

    #expect(read.thumbnails == [size.map { "https://a.b/i/full/\($0)/0/default.jpg" }])
  }

  @Test(
    arguments: [
      (#""https://a.b/t.jpg""#, "https://a.b/t.jpg"),
      (#"{"@id": "https://a.b/t.jpg", "width": 90, "height": 250}"#, "https://a.b/t.jpg"),
      (#"[{"id": "https://a.b/t.jpg", "type": "Image"}]"#, "https://a.b/t.jpg"),
      (
        #"[{"id": "https://a.b/t.jpg", "width": 90, "height": 60, "service": ["https://a.b/s"]}]"#,
        "https://a.b/s/full/320,/0/default.jpg"
      ),
    ]
  )
  func `has the canvas's own thumbnail unless it is very small`(
    thumbnail: String,
    address: String
  ) throws {
    let read = try manifest(#""thumbnail": \#(thumbnail), "#, service: #""https://a.b/i""#)

    #expect(read.thumbnails == [address])
  }

  @Test func `follows neither renderings nor a second sequence`() throws {
    let canvas = { (id: Int) in
      """
      {"@id": "c\(id)", "@type": "sc:Canvas", "rendering": {"@id": "https://a.b/r.jpg"},
      "images": [{"motivation": "sc:painting", "resource": {"@type": "dctypes:Image",
      "@id": "https://a.b/\(id).jpg"}}]}
      """
    }

    let read = try ReadDocument(
      """
      {"@type": "sc:Manifest", "rendering": [{"@id": "https://a.b/r.jpg", "format": "image/jpeg"}],
      "sequences": [{"canvases": [\(canvas(1)), \(canvas(2))]}, {"canvases": [\(canvas(3))]}]}
      """
    )

    #expect(read.originals == ["https://a.b/1.jpg", "https://a.b/2.jpg"])
  }

  @Test(arguments: ["1/2", "2/1"])
  func `reads manifests of any size canvas by canvas`(order: String) throws {
    let canvas = #"""
      {"@type": "sc:Canvas", "images": [{"resource": {"@type": "dctypes:Image", "@id": "https://a.b/%.jpg"}}]}
      """#
    let canvases = (1...9000).map { canvas.replacing("%", with: String($0)) }
    let sequences = [canvases.joined(separator: ","), canvas.replacing("%", with: "x")]
    let shown = order == "1/2" ? sequences : sequences.reversed()
    let text =
      #"{"@type": "sc:Manifest", "label": "L", "sequences": ["#
      + shown.map { #"{"@id": "s", "canvases": [\#($0)]}"# }.joined(separator: ",") + "]}"
    let whole = try ReadDocument(text)

    #expect(text.utf8.count > 500_000)
    #expect(whole.images.count == (order == "1/2" ? 9000 : 1))
    #expect(try ReadDocument(Array(text.utf8), chunk: 4001) == whole)
  }

  @Test func `lists the members of a collection once, and not itself`() throws {
    let read = try ReadDocument(
      """
      {\(Self.context), "type": "Collection", "label": {"en": ["C"]}, "items": [
      {"id": "https://a.b/2", "type": "Manifest"}, {"id": "https://a.b/1", "type": "Collection"},
      {"id": "https://example.org/folder/feed", "type": "Collection"},
      {"id": "https://a.b/2", "type": "Manifest"},
      {"id": "https://a.b/9", "type": "Collection", "items": [
      {"id": "https://a.b/3", "type": "Manifest"}]}]}
      """
    )

    let members = try ["2", "1", "3"].map { try #require(WebAddress("https://a.b/" + $0)) }
    #expect(read.document.continuation == .members(members))
    #expect(read.document.listsEverything)
  }

  @Test(arguments: [
    ("f. 0r", "Book, f. 0r"), ("p. 12", "Book, p. 12"), ("[3]", "Book, [3]"),
    ("Image 4", "Book, Image 4"), ("Title page", "Book, Title page"),
    ("inside cover; 1r", "Book, inside cover; 1r"), ("Bookplate", "Book, Bookplate"),
    ("X.010r_VIS", "Book, X.010r_VIS"), ("表紙", "Book, 表紙"),
    ("Flower Beds in Holland", "Flower Beds in Holland"), ("My book, p. 2", "My book, p. 2"),
    ("f. 1r [Death of Roland]", "f. 1r [Death of Roland]"),
  ])
  func `puts the manifest's label before one that does not tell alone`(
    label: String,
    title: String
  ) throws {
    let read = try ReadDocument(
      #"""
      {"@type": "sc:Manifest", "label": "Book", "sequences": [{"canvases": [
      {"label": "\#(label)", "images": [{"resource": {"@id": "https://a.b/1.jpg"}}]}]}]}
      """#
    )

    #expect(read.titles == [title])
  }

  @Test(arguments: [
    (
      """
      {"@type": "sc:Manifest", "@id": "https://a.b/m", "label": "Hours",
      "attribution": ["<b>Held</b> by", "A & B"], "license": "https://a.b/cc0",
      """, "sequences"
    ),
    (
      """
      {"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Manifest",
      "id": "https://a.b/m", "label": {"en": ["Hours"]}, "rights": "https://a.b/cc0",
      "requiredStatement": {"label": {"en": ["By"]}, "value": {"en": ["Held by", "A &amp; B"]}},
      """, "items"
    ),
  ])
  func `reads what the manifest says of its object, for each image`(
    head: String,
    list: String
  ) throws {
    let canvas = #"{"label": "1", "images": [{"resource": {"@id": "https://a.b/1.jpg"}}]}"#
    let canvases = list == "items" ? canvas : #"{"canvases": [\#(canvas)]}"#
    let read = try ReadDocument(
      """
      \(head) "metadata": [{"label": {"en": ["Creator"]}, "value": {"en": ["Jo", "Al"]}},
      {"label": "Date", "value": "1485"}, {"label": "Shelf\\t mark", "value": "<i>MS</i>\\n5"},
      {"label": "Empty", "value": ""}], "\(list)": [\(canvases)]}
      """
    )

    let manifest = try #require(read.document.manifest)
    #expect(manifest.label == "Hours")
    #expect(manifest.pageAddress == WebAddress("https://a.b/m"))
    #expect(manifest.attribution == "Held by; A & B")
    #expect(manifest.rights == "https://a.b/cc0")
    #expect(
      manifest.details.map { "\($0.label)=\($0.value)" }
        == ["Creator=Jo; Al", "Date=1485", "Shelf mark=MS 5"]
    )
    #expect(read.images.map(\.title) == ["Hours, 1"])
    #expect(read.images.map(\.author) == ["Jo"])
    #expect(read.images.map(\.licence) == ["https://a.b/cc0"])
    #expect(read.images.map(\.pageAddress) == [WebAddress("https://a.b/m")])
    #expect(read.images.map(\.published) == [nil])
  }

  @Test(
    arguments: [
      ("1970-01-02", 86_400), ("1970-01-02T00:00:01Z", 86_401), ("1970", nil), ("1970-01", nil),
      ("about 1970-01-02", nil), ("1970-01-02/1970-03-01", nil), ("1970-13-45", nil),
    ] as [(String, Double?)]
  )
  func `takes a date to the day for the date, and every other for text`(
    text: String,
    seconds: Double?
  ) throws {
    let read = try ReadDocument(
      #"""
      {"@type": "sc:Manifest", "metadata": [{"label": "Date", "value": "\#(text)"}], "sequences": [
      {"canvases": [{"images": [{"resource": {"@id": "https://a.b/1.jpg"}}]}]}]}
      """#
    )

    #expect(read.images.map { $0.published?.timeIntervalSince1970 } == [seconds])
    #expect(read.document.manifest?.details.map(\.value) == [text])
  }

  @Test func `bounds what a manifest says`() throws {
    let pair = #"{"label": "\#(String(repeating: "l", count: 999))", "value": "%"}"#
    let long = pair.replacing("%", with: String(repeating: "v", count: 9999))
    let short = #"{"label": "l", "value": "v"}"#
    let counts = try [(long, 300), (short, 300)].map { pair, count in
      let pairs = Array(repeating: pair, count: count).joined(separator: ",")
      let read = try ReadDocument(
        #"""
        {"@type": "sc:Manifest", "label": "L", "metadata": [\#(pairs)], "sequences": [
        {"canvases": [{"images": [{"resource": {"@id": "https://a.b/1.jpg"}}]}]}]}
        """#
      )
      let details = try #require(read.document.manifest?.details)
      #expect(details.allSatisfy { $0.label.utf8.count <= 200 && $0.value.utf8.count <= 2048 })
      return details.count
    }

    #expect(counts == [14, 100])
  }

  @Test func `bounds the members of a collection and says so`() throws {
    let manifests = (0...10_000).map { #"{"@id": "https://a.b/\#($0)", "@type": "sc:Manifest"}"# }

    let read = try ReadDocument(
      #"{"@type": "sc:Collection", "manifests": [\#(manifests.joined(separator: ","))]}"#
    )

    guard case .members(let members) = read.document.continuation else {
      Issue.record("no members")
      return
    }
    #expect(members.count == 10_000)
    #expect(read.document.flaws == [.excessiveMembers])
    #expect(!read.document.listsEverything)
  }

  @Test func `knows a large manifest by the second of its contexts`() throws {
    let filler = String(repeating: "x", count: 300_000)

    let read = try ReadDocument(
      """
      {"@context": ["http://www.w3.org/ns/anno.jsonld",
      "http://iiif.io/api/presentation/3/context.json"], "type": "Manifest",
      "metadata": [{"label": "Creator", "value": "Jo"}], "filler": "\(filler)", "items": [
      {"type": "Canvas", "items": [{"items": [{"body": {"type": "Image",
      "id": "https://a.b/1.jpg"}}]}]}]}
      """
    )

    #expect(read.document.format == .iiif)
    #expect(read.images.map(\.author) == ["Jo"])
  }

  // MARK: Services

  private static let level0 = #""profile": "http://iiif.io/api/image/2/level0.json""#

  @Test(
    arguments: [
      // What generators of static files write: the body is the largest file that there is.
      (
        "https://a.b/i/full/500,/0/default.jpg", IIIFFormatTests.level0,
        "https://a.b/i/full/500,/0/default.jpg"
      ),
      (
        "https://a.b/photo.jpg", #""type": "ImageService3", "profile": "level0""#,
        "https://a.b/photo.jpg"
      ),
      (
        "https://a.b/i/full/max/0/default.png", #""profile": "level0""#,
        "https://a.b/i/full/max/0/default.png"
      ),
      ("photo", IIIFFormatTests.level0, "https://a.b/i/full/full/0/default.jpg"),
      (
        "https://a.b/photo.jpg", #""type": "ImageService2", "profile": "level1""#,
        "https://a.b/i/full/full/0/default.jpg"
      ),
    ]
  )
  func `the picture of a static service is the body's own address`(
    body: String,
    service: String,
    original: String
  ) throws {
    let read = try manifest("", body: body, service: #"{"@id": "https://a.b/i", \#(service)}"#)

    #expect(read.originals == [original])
  }

  @Test(
    arguments: [
      ("https://a.b/photo.jpg", #""width": 4000, "height": 2400, "#, "https://a.b/photo.jpg"),
      (
        "https://a.b/photo.jpg?token=1", #""height": 2400, "width": 4000, "#,
        "https://a.b/photo.jpg?token=1"
      ),
      ("https://a.b/photo.jpg", #""width": 800, "height": 480, "#, nil),
      ("https://a.b/photo.jpg", #""width": 4000, "#, nil),
      ("https://a.b/photo.jpg", "", nil), ("photo.jpg", #""width": 4000, "height": 2400, "#, nil),
      // Many manifests declare the size of the whole picture for a smaller one.
      ("https://a.b/i/full/600,/0/default.jpg", #""width": 4000, "height": 2400, "#, nil),
      ("https://a.b/i/0,0,4000,2400/600,/0/default.jpg", #""width": 4000, "height": 2400, "#, nil),
      ("http://a.b/i/full/600,/0/default.jpg", #""width": 4000, "height": 2400, "#, nil),
    ] as [(String, String, String?)]
  )
  func `a file with all pixels of its service is not encoded again by the service`(
    body: String,
    size: String,
    file: String?
  ) throws {
    let service = """
      {"id": "https://a.b/i", "type": "ImageService3", "profile": "level2", "maxWidth": 1000,
      "width": 4000, "height": 2400}
      """

    let read = try manifest("", body: body, size: size, service: service)

    #expect(read.originals == [file ?? "https://a.b/i/full/max/0/default.jpg"])
    #expect(read.images.map(\.width) == [file == nil ? 1000 : 4000])
    #expect(read.images.map(\.height) == [file == nil ? 600 : 2400])
  }

  @Test(
    arguments: [
      (#"["http://iiif.io/api/image/2/level2.json", {"maxWidth": 1000}]"#, "max", 1000, 600),
      (#"["http://iiif.io/api/image/2/level2.json", {"maxArea": 600000}]"#, "max", 1000, 600),
      (
        #"["http://iiif.io/api/image/2/level2.json", {"maxWidth": 9000, "maxHeight": 300}]"#, "max",
        500, 300
      ),
      (#"["http://iiif.io/api/image/2/level2.json", {"maxWidth": 9000}]"#, "max", 4000, 2400),
      (#""http://iiif.io/api/image/2/level2.json""#, "full", 4000, 2400),
    ]
  )
  func `a service with a limit is asked for the most that it gives`(
    profile: String,
    size: String,
    width: Int,
    height: Int
  ) throws {
    let service =
      #"{"@id": "https://a.b/i", "width": 4000, "height": 2400, "profile": \#(profile)}"#

    let read = try manifest("", service: service)

    #expect(read.originals == ["https://a.b/i/full/\(size)/0/default.jpg"])
    #expect(read.images.map(\.width) == [width] && read.images.map(\.height) == [height])
  }

  @Test(arguments: [
    (#""@type": "ImageService2", \#(IIIFFormatTests.level0)"#, "250,"),
    (#""type": "ImageService3", "profile": "level0""#, "250,150"),
    (#""@type": "ImageService1", "profile": "level0""#, "250,"),
  ])
  func `a listed size has the form of its version`(service: String, size: String) throws {
    let sizes = #"[{"width": 125, "height": 75}, {"width": 250, "height": 150}]"#
    let read = try manifest(
      "",
      service: #"{"@id": "https://a.b/i", \#(service), "sizes": \#(sizes)}"#
    )

    #expect(read.thumbnails.first??.contains("/full/\(size)/0/") == true)
  }

  @Test(arguments: [
    (#""width": 200, "height": 120, "#, 200), (#""width": 4000, "#, 320), ("", 320),
  ])
  func `no thumbnail is asked for with more pixels than the canvas`(
    canvas: String,
    width: Int
  ) throws {
    let read = try manifest(canvas, service: #""https://a.b/i""#)

    #expect(read.thumbnails == ["https://a.b/i/full/\(width),/0/default.jpg"])
  }

  // MARK: Annotation pages

  @Test func `the pages that a manifest only names are its members`() throws {
    let canvas = { (id: Int, items: String) in
      #"{"id": "https://a.b/c\#(id)", "type": "Canvas", "label": {"none": ["p. \#(id)"]}, "items": [\#(items)]}"#
    }
    let painted = #"{"items": [{"body": {"type": "Image", "id": "https://a.b/1.jpg"}}]}"#
    let named = #"{"id": "https://a.b/page2", "type": "AnnotationPage"}"#
    let read = try ReadDocument(
      """
      {\(Self.context), "type": "Manifest", "label": {"en": ["Book"]}, "rights": "https://a.b/cc0",
      "items": [\(canvas(1, painted)), \(canvas(2, named)), \(canvas(3, #""https://a.b/page3""#))]}
      """
    )

    let pages = try ["page2", "page3"].map { try #require(WebAddress("https://a.b/" + $0)) }
    #expect(read.originals == ["https://a.b/1.jpg"])
    #expect(read.document.continuation == .members(pages))
    #expect(pages.map { read.document.parts[$0]?.title } == ["Book, p. 2", "Book, p. 3"])
    #expect(read.document.parts[pages[0]]?.id == "https://a.b/c2")
    #expect(read.document.parts[pages[0]]?.licence == "https://a.b/cc0")
    #expect(read.document.flaws == [] && read.document.manifest?.label == "Book")
  }

  @Test func `a page has the pictures, and the words of its canvas`() throws {
    var words = EntryWords(id: "c2", title: "Book, p. 2")
    (words.page, words.thumbnail) = ("https://a.b/book", "https://a.b/t.jpg")
    let text = """
      {\(Self.context), "id": "https://a.b/page2", "type": "AnnotationPage", "items": [
      {"type": "Annotation", "motivation": "painting", "target": "https://a.b/c2",
      "body": {"id": "https://a.b/2.jpg", "type": "Image", "width": 800, "height": 480}},
      {"type": "Annotation", "motivation": "commenting", "body": {"id": "https://a.b/3.jpg", "type": "Image"}}]}
      """

    let read = try ReadDocument(Array(text.utf8), words: words)

    #expect(read.originals == ["https://a.b/2.jpg"] && read.titles == ["Book, p. 2"])
    #expect(read.thumbnails == ["https://a.b/t.jpg"] && read.entries.map(\.id) == ["c2"])
    #expect(read.images[0].pageAddress?.text == "https://a.b/book")
    #expect(read.document.format == .iiif && read.document.manifest == nil)
  }

  @Test(arguments: [
    #"{"type": "AnnotationPage"}"#, #"{"id": "page", "type": "AnnotationPage"}"#,
    #""ftp://a.b/page""#,
  ])
  func `a canvas whose page cannot be asked for is a flaw`(page: String) throws {
    let address = page.contains(#""page""#) ? "file:///m" : "https://a.b/m"
    let read = try ReadDocument(
      #"""
      {\#(Self.context), "type": "Manifest", "items": [{"type": "Canvas", "items": [\#(page)]},
      {"type": "Canvas", "items": [{"items": [{"body": {"type": "Image", "id": "https://a.b/1.jpg"}}]}]}]}
      """#,
      address: address
    )

    #expect(read.originals == ["https://a.b/1.jpg"])
    guard address == "https://a.b/m" else { return }
    #expect(read.document.flaws == [.unreadableCanvases(1)])
    #expect(!read.document.isLossless && !read.document.listsEverything)
  }

  // MARK: Languages

  private static let market =
    #"{"de": ["Markt im Winter"], "en": ["Winter market"], "cy": ["Marchnad"]}"#

  @Test(
    arguments: [
      ([], "Winter market", "de: Markt im Winter — cy: Marchnad"),
      (["de"], "Markt im Winter", "en: Winter market — cy: Marchnad"),
      (["de-AT", "fr"], "Markt im Winter", "en: Winter market — cy: Marchnad"),
      (["fr", "cy-GB"], "Marchnad", "de: Markt im Winter — en: Winter market"),
      (["ja"], "Winter market", "de: Markt im Winter — cy: Marchnad"),
    ] as [([String], String, String)]
  )
  func `a label is in the reader's language, and a search finds the others`(
    languages: [String],
    title: String,
    caption: String
  ) throws {
    let text = """
      {\(Self.context), "type": "Manifest", "label": \(Self.market), "items": [
      {"type": "Canvas", "homepage": [{"id": "https://a.b/7"}], "label": \(Self.market),
      "items": [{"items": [{"body": {"type": "Image", "id": "https://a.b/1.jpg"}}]}]}]}
      """

    let read = try ReadDocument(Array(text.utf8), languages: languages)

    #expect(read.titles == [title] && read.document.title == title)
    #expect(read.images.map(\.caption) == [caption])
    let details = read.document.manifest?.details.map { "\($0.label): \($0.value)" }
    #expect(details?.joined(separator: " — ") == caption)
  }

  // MARK: Other pictures of a canvas

  @Test(
    arguments: [
      ("placeholderCanvas", "accompanyingCanvas", "https://a.b/poster.jpg"),
      ("accompanyingCanvas", "other", "https://a.b/poster.jpg"), ("other", "another", nil),
    ] as [(String, String, String?)]
  )
  func `the picture that stands in for a canvas is the thumbnail`(
    name: String,
    other: String,
    thumbnail: String?
  ) throws {
    let painted = { (id: String) in
      #""items": [{"items": [{"body": {"type": "Image", "id": "https://a.b/\#(id).jpg"}}]}]"#
    }
    let read = try ReadDocument(
      """
      {\(Self.context), "type": "Manifest", "items": [{"type": "Canvas", \(painted("large")),
      "\(other)": {"type": "Canvas", \(painted("cover"))},
      "\(name)": {"type": "Canvas", \(painted("poster"))}}]}
      """
    )

    #expect(read.originals == ["https://a.b/large.jpg"] && read.thumbnails == [thumbnail])
  }

  @Test func `an explanation names the other pictures of a choice`() throws {
    let text = """
      {\(Self.context), "type": "Manifest", "items": [{"type": "Canvas", "items": [{"items": [
      {"body": {"type": "Choice", "items": [{"type": "Image", "id": "https://a.b/natural.jpg"},
      {"type": "Image", "id": "https://a.b/xray.jpg"}]}}]}]}]}
      """

    let read = try ReadDocument(Array(text.utf8), isExplained: true)

    let passed = read.entries.compactMap(\.explanation).flatMap(\.passed)
    #expect(read.originals == ["https://a.b/natural.jpg"])
    #expect(passed.map(\.address) == ["https://a.b/xray.jpg"])
    #expect(passed.map(\.reason) == [.otherChoice])
  }

  private func manifest(
    _ canvas: String,
    body: String = "https://a.b/body",
    size: String = "",
    service: String
  ) throws -> ReadDocument {
    try ReadDocument(
      """
      {\(Self.context), "type": "Manifest", "label": {"en": ["Manifest"]}, "items": [
      {"type": "Canvas", \(canvas)"items": [{"items": [{"motivation": ["painting"], "body":
      {"type": "Image", "id": "\(body)", \(size)"service": \(service)}}]}]}]}
      """
    )
  }
}
