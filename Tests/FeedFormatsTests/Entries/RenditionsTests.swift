import Models
import Testing

/// The other renditions of an image, which are asked for when the original or the thumbnail cannot be had.
struct RenditionsTests {
  private func renditions(_ item: String) throws -> [[String]] {
    try ReadDocument.rss("<item><link>https://a.bc/post</link>\(item)</item>").images.map { image in
      image.renditions.map { String($0.text.dropFirst("https://a.bc/".count)) }
    }
  }

  @Test func `are those of a group, the largest first, down to the thumbnail`() throws {
    let group = """
      <media:group>\(["80", "1600", "640", "320", "1024"].map {
        "<media:content url='https://a.bc/\($0).jpg' medium='image' width='\($0)' height='\($0)'/>"
      }.joined())</media:group>
      """

    #expect(try renditions(group) == [["1024.jpg", "640.jpg", "320.jpg"]])
  }

  @Test func `are the candidates of a srcset, and the picture in a link`() throws {
    let set = """
      <description><![CDATA[<img src="https://a.bc/s.jpg"
      srcset="https://a.bc/s.jpg 300w, https://a.bc/m.jpg 900w, https://a.bc/l.jpg 1800w">]]></description>
      """
    let link = """
      <description><![CDATA[<a href="https://a.bc/big.jpg"><img src="https://a.bc/small.jpg"></a>]]>
      </description>
      """

    #expect(try renditions(set) == [["m.jpg", "s.jpg"]])
    #expect(try renditions(link) == [["small.jpg"]])
  }

  @Test func `do not include a thumbnail that is no size of the picture`() throws {
    let item = """
      <media:content url="https://a.bc/o.jpg" medium="image"/>
      <media:thumbnail url="https://a.bc/t.jpg" width="240"/>
      """

    #expect(try renditions(item) == [[]])
  }

  @Test func `are the sizes of a JSON list`() throws {
    let list = """
      [{"id": 1, "urls": {"full": "https://a.bc/f.jpg", "regular": "https://a.bc/r.jpg",
        "small": "https://a.bc/s.jpg", "thumb": "https://a.bc/t.jpg"}}]
      """

    let image = try #require(try ReadDocument(list).images.first)

    #expect(image.originalAddress.text == "https://a.bc/f.jpg")
    #expect(image.renditions.first?.text == "https://a.bc/r.jpg")
    #expect(!image.renditions.contains(image.originalAddress))
  }

  @Test func `include the picture of a static service beside the one that a canvas names`() throws {
    let manifest = """
      {"@context": "http://iiif.io/api/presentation/3/context.json", "id": "https://a.bc/m",
       "type": "Manifest", "label": {"en": ["M"]}, "items": [{"id": "https://a.bc/c", "type": "Canvas",
       "items": [{"id": "https://a.bc/p", "type": "AnnotationPage", "items": [{"id": "https://a.bc/a",
       "type": "Annotation", "motivation": "painting", "body": {"id": "https://a.bc/photo.jpg",
       "type": "Image", "width": 900, "height": 600, "service": [{"id": "https://a.bc/i",
       "type": "ImageService3", "profile": "level0"}]}}]}]}]}
      """

    let image = try #require(try ReadDocument(manifest).images.first)

    #expect(image.originalAddress.text == "https://a.bc/photo.jpg")
    #expect(image.renditions.map(\.text) == ["https://a.bc/i/full/max/0/default.jpg"])
    #expect(image.thumbnailAddress == nil)
  }

  @Test func `are a few of many`() throws {
    let group = """
      <media:group>\((1...40).map {
        "<media:content url='https://a.bc/\($0).jpg' medium='image' width='\($0)00' height='\($0)00'/>"
      }.joined())</media:group>
      """

    #expect(try renditions(group) == [(34...39).reversed().map { "\($0).jpg" }])
  }

  private typealias Size = (name: String, width: Int, height: Int)

  /// A group of pictures with these sizes, and as many thumbnails as stated.
  private func group(_ sizes: [Size], thumbnails: Int) -> String {
    let contents = sizes.map {
      """
      <media:content url='https://a.bc/\($0.name).jpg' medium='image'
      width='\($0.width)' height='\($0.height)'/>
      """
    }
    let small = (0..<thumbnails).map {
      "<media:thumbnail url='https://a.bc/small\($0).jpg' width='240' height='160'/>"
    }
    return "<media:group>\((contents + small).joined())</media:group>"
  }

  private func originals(_ item: String) throws -> [String] {
    try ReadDocument.rss("<item>\(item)</item>").images.map { image in
      "\(image.originalAddress.text) \(image.thumbnailAddress?.text ?? "-")"
        .replacing("https://a.bc/", with: "")
    }
  }

  @Test func `are none in a group that lists pictures with a thumbnail each`() throws {
    let list = group([("a", 1600, 1067), ("b", 1067, 1600), ("c", 1600, 1067)], thumbnails: 3)

    #expect(try originals(list) == ["a.jpg small0.jpg", "b.jpg small1.jpg", "c.jpg small2.jpg"])
    #expect(try renditions(list) == [[], [], []])
  }

  @Test func `are those of a group of one picture, whatever one sign of a list it has`() throws {
    let portraits: [Size] = [("a", 1600, 1067), ("b", 1067, 1600)]

    #expect(try originals(group(portraits, thumbnails: 1)).count == 1)
    #expect(try originals(group(portraits, thumbnails: 3)).count == 1)
    #expect(try originals(group([("a", 1600, 1067), ("b", 800, 533)], thumbnails: 2)).count == 1)
    // A crop has the name of its picture.
    let crop: [Size] = [("a", 1600, 1067), ("a-640x640", 640, 640)]
    #expect(try originals(group(crop, thumbnails: 2)).count == 1)
    // Sizes that are ratios tell nothing.
    #expect(try originals(group([("a", 16, 9), ("b", 9, 16)], thumbnails: 2)).count == 1)
  }
}
