import Models
import TestSupport
import Testing
import Workers

@testable import Scenes
@testable import Web

/// Pages show all text from elsewhere as text.
struct EscapingTests {
  @Test func `literals are markup, and all that is put into them is text`() {
    let part: HTML = "<i>\("<&>\"'")</i>"
    let lines: HTML = "\(line: part)\(line: nil)\(lines: ["1", "2"])"
    let choices: HTML = "\(if: true, "1")\(if: false, "2")\(if: false, "3", else: "4")"
    let none: Int? = nil
    let link: HTML = """
      <a\(attribute: "href", "\"")\(attribute: "id", none)\(attribute: "width", 3)>
      """

    #expect(part.text == "<i>&lt;&amp;&gt;&quot;&#39;</i>")
    #expect(("<b>\(part)\(-7)</b>" as HTML).text == "<b>\(part.text)-7</b>")
    #expect(("\(nil as HTML?)\([part, part])" as HTML).text == part.text + part.text)
    #expect(lines.text == "\(part.text)\n1\n2\n")
    #expect(choices.text == "14")
    #expect(link.text == "<a href=\"&quot;\" width=\"3\">")
  }

  @Test func `a quotation mark with an accent does not end an attribute`() {
    #expect(("\("\"\u{301}é🌙<\u{200D}")" as HTML).text == "&quot;\u{301}é🌙&lt;\u{200D}")
  }

  @Test(arguments: SamplePages.all)
  func `a page escapes every text`(page: SamplePages.Page) {
    #expect(!page.html.contains("<x-"))
    for field in page.fields {
      #expect(page.html.contains(SamplePages.escaped(field)), "\(field)")
    }
  }

  /// An export writes the pages of a site again only when its version is another one.
  @Test func `a site has a new layout when its pages change`() {
    let pages = SamplePages.all.filter { $0.name.hasPrefix("static") }.map(\.html).joined()

    #expect(StaticSite.layout == 6)
    let hash: Int64 = -4_147_131_388_618_263_520
    #expect(StableHash.of(pages) == hash, "increase StaticSite.layout, then change both numbers")
  }
}

/// Every page of the server and of a static site, with hostile text in every field.
enum SamplePages {
  struct Page: Sendable, CustomTestStringConvertible {
    var name: String
    var html: String
    /// The names of the texts that the page shows.
    var fields: [String]

    var testDescription: String { name }

    init(_ name: String, _ html: HTML?, _ fields: [String]) {
      self.name = name
      self.html = html?.text ?? ""
      self.fields = fields
    }
  }

  static func hostile(_ field: String) -> String { "\"'><x-\(field) y>&" }
  static func escaped(_ field: String) -> String { "&quot;&#39;&gt;&lt;x-\(field) y&gt;&amp;" }

  static var all: [Page] {
    [list, image, feeds, slides, problem, token, staticList, staticPart, staticFeeds]
  }

  private static var site: Site {
    var site = Site(basePath: hostile("base"), assetHash: hostile("assets"))
    site.isAdmin = true
    return site
  }

  private static var staticSite: Site {
    var site = Site(basePath: "../..", assetHash: "0")
    site.isStatic = true
    return site
  }

  private static func hinted(_ field: String) -> HintedText { "\(hostile(field))" }

  private static let info = PictureInfo(
    format: .jpeg,
    bytes: 1000,
    width: 30,
    height: 20,
    hash: SHA256Digest(words: .zero)
  )

  private static let feed = DisplayedFeed(
    id: 3,
    title: hostile("feed"),
    address: hostile("address"),
    format: "",
    images: "",
    imageNumber: hostile("count"),
    lastSync: hostile("sync"),
    lastSyncTime: hostile("day"),
    status: hostile("status"),
    problem: hinted("problem"),
    push: hostile("push")
  )

  private static var list: Page {
    let page = ListImagesPage(ListAddress(search: hostile("search")), on: site)
    let images = [nil, DisplayedFile(info)].map { thumbnail in
      DisplayedImage(
        id: 1,
        published: "",
        day: "",
        feed: "",
        title: hostile(thumbnail == nil ? "missing" : "title"),
        originalMark: "",
        isPinned: true,
        thumbnail: thumbnail
      )
    }
    page.displayFetchedImages(viewModel: .init(displayedImages: images))
    let end = ListImages.FetchImages.Ended.ViewModel(
      note: hinted("note"),
      failures: [hinted("failure")],
      next: hostile("next")
    )
    page.displayEndedFetch(viewModel: end)
    return Page(
      "list",
      page.html(of: feed),
      [
        "base", "assets", "search", "feed", "address", "status", "problem", "title", "missing",
        "note",
      ]
    )
  }

  private static var image: Page {
    let page = ShowImagePage(imageID: 7, from: ListAddress(), on: site)
    var facts = DisplayedImageFacts(title: hostile("title"), feed: hostile("feed"), feedID: 3)
    facts.caption = hostile("caption")
    facts.author = hostile("author")
    facts.licence = "https://\(hostile("licence"))"
    facts.published = hostile("published")
    (facts.camera, facts.lens) = (hostile("camera"), hostile("lens"))
    (facts.exposure, facts.taken) = (hostile("exposure"), hostile("taken"))
    facts.pageAddress = hostile("source")
    facts.thumbnail = DisplayedFile(info)
    facts.problem = hostile("problem")
    let fields = ["first seen", "size"].map {
      DescriptionField(name: $0, value: hostile($0))
    }
    page.displayDescribedImage(viewModel: .init(fields: fields, image: facts))
    return Page(
      "image",
      page.html(between: .init(previous: 6, next: 8)),
      [
        "base", "assets", "title", "feed", "caption", "author", "licence", "published", "source",
        "problem", "first seen", "size", "camera", "lens", "exposure", "taken",
      ]
    )
  }

  private static var feeds: Page {
    let page = ListFeedsPage(on: site)
    page.displayFetchedFeeds(
      viewModel: .init(displayedFeeds: [feed], maskedNote: hostile("note"))
    )
    return Page(
      "feeds",
      page.html,
      [
        "base", "assets", "feed", "address", "count", "sync", "day", "status", "problem", "push",
        "note",
      ]
    )
  }

  private static var slides: Page {
    let picture = FramePage.Picture(
      id: 1,
      address: hostile("picture"),
      title: hostile("title"),
      page: hostile("page")
    )
    let list = ListAddress(search: hostile("search"))
    return Page(
      "slide show",
      FramePage(list, seconds: nil, first: picture, isEmpty: false, on: site).html,
      ["base", "assets", "picture", "title", "page"]
    )
  }

  private static var problem: Page {
    let problem = WebProblem(status: 400, title: hostile("title"), detail: hostile("detail"))
    return Page("error", problem.html(on: site), ["base", "assets", "title", "detail"])
  }

  private static var token: Page {
    let query = [hostile("name"): hostile("value"), "token": hostile("token")]
    return Page(
      "token",
      TokenPage.html(at: hostile("path"), query, on: site),
      ["base", "assets", "path", "name", "value"]
    )
  }

  // MARK: A static site

  private static func libraryFeed(title: String?) -> Feed? {
    WebAddress("https://example.com/?'&").map {
      Feed(id: 3, address: $0, title: title, imageCount: 2)
    }
  }

  private static func staticPage(_ name: String, _ place: SitePage.Place) -> Page {
    let images = [Int64(1), 2, 3].map { id -> ImageState in
      var fields = ImageFields(
        title: hostile("title"),
        caption: hostile("caption"),
        author: hostile("author"),
        licence: id == 1 ? hostile("licence") : "https://\(hostile("link"))",
        published: 1_800_000_000,
        pageAddress: "https://example.com/?'&",
        thumbnailAddress: nil,
        originalAddress: "https://example.com/",
        width: nil,
        height: nil
      )
      if id == 3 { fields.title = nil }
      return .sample(
        id: id,
        feedID: 3,
        position: id,
        fields: fields,
        thumbnail: id == 1 ? .init(info: info, isMade: false, isStale: false) : nil,
        original: id == 2 ? .init(info: info, isStale: false) : nil
      )
    }
    let feed = libraryFeed(title: hostile("feed"))
    let content = SitePage(
      place,
      of: feed,
      total: 3,
      images: images,
      feeds: feed.map { [3: $0] } ?? [:],
      pins: [1]
    )
    return Page(
      name,
      StaticPage(content, on: staticSite).html,
      ["title", "caption", "author", "licence", "link", "feed"]
    )
  }

  private static var staticList: Page {
    staticPage("static list", .first([.init(month: 24310, images: 3, parts: 1)]))
  }

  private static var staticPart: Page {
    let parts = (1...3).map { SitePage.Part(month: 24310, number: $0) }
    return staticPage("static part", .part(parts[1], newer: parts[2], older: parts[0]))
  }

  private static var staticFeeds: Page {
    let feeds = [hostile("feed"), nil].compactMap(libraryFeed(title:))
    return Page("static feeds", StaticPage.html(of: feeds, on: staticSite), ["feed"])
  }
}

extension HTML {
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
