import TestSupport
import Testing

/// `gallery sync --explain` prints why entries have their images, and stores nothing.
struct ExplainTests {
  private let site: PhotoSite
  private let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
  }

  @Test func `explains a Media RSS feed`() throws {
    let result = try library.program.run("sync", "--explain", site.feed)

    #expect(
      steady(result.output, site: site) == """
        'Moon': 1 image
          original   http://site/moon.jpg — Media RSS content, 4,000 pixels
          thumbnail  http://site/moon-small.jpg — thumbnail
        'Sun': 1 image
          original   http://site/sun.jpg — Media RSS content
          thumbnail  http://site/sun-small.jpg — thumbnail
        'Stars & \u{FFFD}[31mred': 1 image
          original   http://site/stars.jpg — Media RSS content
          thumbnail  http://site/stars-small.jpg — thumbnail
        would update 'Night sky': 3 images, 3 new; 3 thumbnails to fetch; SIZE in TIME

        """
    )
    #expect(result.status == 0)
    #expect(site.targets == ["/photos.xml"])
    #expect(try library.program.run("list").output == "")
  }

  @Test func `explains a JSON list to scripts`() throws {
    site.set(
      "/list.json",
      .init(
        type: "application/json",
        body: Array(
          """
          {"photos": [{"id": 1, "url": "/a.jpg", "user": {"avatar": "/face.png"}},
           {"id": 2, "text": "Words", "user": {"avatar": "/face.png"}}]}
          """.utf8
        )
      )
    )
    let result = try library.program.run("sync", "--explain", "--json", site.address("/list.json"))

    #expect(
      steady(result.output, site: site).split(separator: "\n").prefix(2) == [
        """
        {"feed":{"url":"http://site/list.json"},"entry":{"id":"1","title":null},\
        "images":[{"original":{"url":"http://site/a.jpg","place":"url","side":null},\
        "thumbnail":null}],\
        "passed":[{"url":"http://site/face.png","place":"user.avatar","reason":"foreign"}]}
        """,
        """
        {"feed":{"url":"http://site/list.json"},"entry":{"id":"2","title":"Words"},"images":[],\
        "passed":[{"url":"http://site/face.png","place":"user.avatar","reason":"foreign"}]}
        """,
      ]
    )
  }

  @Test func `explains a feed again that has not changed`() throws {
    try library.program.run("sync", site.feed)
    let result = try library.program.run("sync", "--explain", "1")

    #expect(result.output.contains("'Moon': 1 image\n"))
    #expect(result.output.contains("unchanged 'Night sky': 3 images"))
  }

  @Test(arguments: [
    (["--explain"], "--explain takes the feeds that it is to explain"),
    (
      ["--explain", "--originals", "1"],
      "--explain fetches no pictures: --originals has no meaning with it"
    ),
  ])
  func `refuses what has no meaning`(_ options: [String], _ message: String) throws {
    let result = try library.program.shell("gallery sync " + options.joined(separator: " "))

    #expect(result.errors.contains(message))
    #expect(result.status == 64)
  }
}
