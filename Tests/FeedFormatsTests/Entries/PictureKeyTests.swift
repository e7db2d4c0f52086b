import Testing

@testable import FeedFormats

struct PictureKeyTests {
  @Test(arguments: [
    ("https://a.b/c-1024x683.jpg", "https://a.b/c.jpg"),
    ("https://a.b/c-300x200.jpg", "https://a.b/c-scaled.jpg"),
    ("https://a.b/c.jpg?w=300&h=200", "http://a.b/c.jpg"),
    ("https://a.b/c.jpg?resize=1200%2C800&ssl=1", "https://i0.wp.com/a.b/c.jpg?fit=300%2C200"),
    ("https://cdn2.a.b/c.jpg", "https://cdn.a.b/c.jpg"),
    ("https://1.bp.blogspot.com/-a/b/c/s1600/d.jpg", "https://4.bp.blogspot.com/-a/b/c/s320/d.jpg"),
    ("https://lh3.google.example/pw/AB=s1600", "https://lh3.google.example/pw/AB=w400-h300-no"),
    (
      "https://live.staticflickr.com/65535/51234567890_0123456789_z.jpg",
      "https://live.staticflickr.com/65535/51234567890_fedcba9876_o.jpg"
    ),
    (
      "https://res.example/x/image/upload/w_800,c_fill/v1/d.jpg",
      "https://res.example/x/image/upload/v1/d.webp"
    ),
    ("https://a.b/c.jpg?token=1&expires=2", "https://a.b/c.jpg?token=3&expires=4"),
    ("https://a.b/c.jpg?hash=1&s=2", "https://a.b/c.jpg?hash=3&s=4"),
    ("https://a.b/_next/image?url=https%3A%2F%2Fc.d%2Fe.jpg&w=640&q=75", "https://c.d/e.jpg"),
    ("https://a.b/cdn-cgi/image/width=800,quality=85/c/d.jpg", "https://a.b/c/d.jpg"),
    ("https://a.b/thumb/a/ab/N.jpg/800px-N.jpg", "https://a.b/a/ab/N.jpg"),
    ("https://p.c/media/X?format=jpg&name=900x900", "https://p.c/media/X?format=jpg&name=large"),
    ("https://p.c/media/X.jpg:large", "https://p.c/media/X.jpg"),
    ("https://a.b/uploads/large_c_1.jpg", "https://a.b/uploads/thumbnail_c_1.jpg"),
    ("https://a.b/max/1024/1*c.png", "https://a.b/max/800/1*c.png"),
    ("https://a.b/c@2x.png", "https://a.b/c.png"),
    ("https://a.b/c.jpg.webp", "https://a.b/c.jpg"),
    (
      "https://a.b/iiif/2/1/full/400,/0/default.jpg", "https://a.b/iiif/2/1/full/full/0/default.jpg"
    ),
  ])
  func `is equal for two renditions of a picture`(one: String, other: String) {
    #expect(PictureKey.key(of: one) == PictureKey.key(of: other))
  }

  @Test(arguments: [
    ("https://a.b/photo.php?id=1", "https://a.b/photo.php?id=2"),
    ("https://a.b/show.php?hash=a1", "https://a.b/show.php?hash=b2"),
    ("https://a.b/photo.php?position=1", "https://a.b/photo.php?position=2"),
    ("https://a.b/i?s=1", "https://a.b/i?s=2"), ("https://a.b/i?mode=a", "https://a.b/i?mode=b"),
    ("https://a.b/2023/05/c.jpg", "https://a.b/2024/05/c.jpg"),
    ("https://a.b/c-1.jpg", "https://a.b/c-2.jpg"), ("https://a.b/c_a.jpg", "https://a.b/c_b.jpg"),
    ("https://a.b/c.jpg", "https://d.e/c.jpg"), ("https://a.b/101/i.jpg", "https://a.b/102/i.jpg"),
    ("https://a.b/s3/i.jpg", "https://a.b/s4/i.jpg"), ("https://a.b/C.jpg", "https://a.b/c.jpg"),
    ("https://a.b/c.jpg?name=jo", "https://a.b/c.jpg?name=al"),
    ("https://a.b/3x2.jpg", "https://a.b/4x3.jpg"),
    ("https://192.168.0.1/a.jpg", "https://10.0.0.1/a.jpg"),
    ("https://a.b/proxy/https%3A%2F%2Fc.d%2F1.jpg", "https://a.b/proxy/https%3A%2F%2Fc.d%2F2.jpg"),
  ])
  func `differs for two pictures`(one: String, other: String) {
    #expect(PictureKey.key(of: one) != PictureKey.key(of: other))
  }

  @Test func `is an address itself that is too long for one`() {
    let name = String(repeating: "c-thumb", count: FormatLimits.address)
    let address = "https://a.b/\(name)-1024x683.jpg"

    #expect(PictureKey.key(of: address) == address)
    #expect(RenditionPart.side(of: address) == nil)
  }

  @Test(
    arguments: [
      ("https://a.b/c-1024x683.jpg", 1024), ("https://a.b/c.jpg", nil),
      ("https://a.b/c=s1600", 1600),
      ("https://a.b/w400-h300/c.jpg", 400), ("https://a.b/c.jpg?w=300", 300),
      ("https://a.b/c.jpg?w=300&dpr=2", 600), ("https://a.b/w_800,c_fill/c.jpg", 800),
      ("https://a.b/full/c", 0), ("https://a.b/800px-c.jpg", 800),
    ] as [(String, Int?)]
  )
  func `names the side in an address`(address: String, side: Int?) {
    #expect(RenditionPart.side(of: address) == side)
  }
}
