import Composition
import Foundation
import HTTPTypes
import Models
import Scenes
import TestSupport
import Testing
import Web
import Workers

@testable import gallery_server

/// A static site, compared with the server of the same library.
struct StaticSiteTests {
  private let bench: ServerBench

  init() async throws { bench = try await ServerBench() }

  private var site: String { "\(bench.folder)/site" }

  /// Exports the library, and returns the counts.
  private func export(
    hasOriginals: Bool = true,
    to folder: String? = nil
  ) async throws -> [String: Any] {
    let answer = RecordAnswer()
    let presenter = RunJSONPresenter<ExportLibrary.ExportSite>(display: answer)
    let plan = SiteExportPlan(folder: folder ?? site, hasOriginals: hasOriginals)
    await bench.root.exportLibrary(presenter: presenter, site: StaticSite())
      .exportSite(request: .init(plan, stop: StopRequest()))
    #expect(answer.failure == nil)
    let json = Data(JSONLine.lines(answer.records))
    return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
  }

  private func file(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: "\(site)/\(path)")))
  }

  private func names(in folder: String) -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: "\(site)/\(folder)")) ?? [])
  }

  private func json(_ path: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(try file(path)))
    return try #require(object as? [String: Any])
  }

  /// The hashes of all nodes under the root of the site.
  private func nodes() throws -> Set<String> {
    var hashes: Set<String> = []
    func add(_ name: String, _ members: [String]) throws {
      guard let member = members.first else { return }
      for child in try #require(try json("api/v1/tree/\(name)")[member] as? [[String: Any]]) {
        let hash = try #require(child["hash"] as? String)
        hashes.insert(hash)
        try add(hash, Array(members.dropFirst()))
      }
    }
    try add("root", ["feeds", "months", "leaves"])
    return hashes
  }

  @Test func `tells nobody the address of a file`() async throws {
    let place = URL(filePath: Checkout.demoFeed).deletingLastPathComponent().path
    _ = try await export()
    let paths = try FileManager.default.subpathsOfDirectory(atPath: site)
      .filter { $0.hasSuffix(".html") || $0.hasPrefix("api/v1/tree/") }

    #expect(paths.count > 6)
    for path in paths {
      let text = String(decoding: try file(path), as: UTF8.self)
      #expect(!text.contains("file:/") && !text.contains(place), "\(path)")
    }
  }

  @Test func `its tree and pictures are those of the server, byte for byte`() async throws {
    _ = try await bench.ask("/images/3/original")
    _ = try await bench.ask("/api/v1/images/3/pin", .put)
    let counts = try await export()

    #expect(counts["images"] as? Int == 12)
    let nodes = try nodes()
    #expect(nodes.count > 3)
    #expect(names(in: "api/v1/tree") == nodes.union(["root"]))
    // The server knows the nodes of a tree once a client has requested the root.
    for node in ["root"] + nodes {
      let path = "api/v1/tree/\(node)"
      #expect(try file(path) == (try await bench.ask("/\(path)")).bytes, "\(node)")
    }
    #expect(names(in: "t").count == 12)
    #expect(names(in: "o").count == 1)
    for path in names(in: "t").map({ "t/\($0)" }) + names(in: "o").map({ "o/\($0)" }) {
      #expect(try file(path) == (try await bench.ask("/\(path)")).bytes, "\(path)")
    }
  }

  @Test func `a pin marks the tile on each of its pages, until it is taken away`() async throws {
    _ = try await export()
    let before = try file("index.html")
    #expect(!String(decoding: before, as: UTF8.self).contains("is-pinned"))

    _ = try await bench.ask("/api/v1/images/3/pin", .put)
    _ = try await export()
    for page in ["index.html", "feeds/1/index.html"] {
      let text = String(decoding: try file(page), as: UTF8.self)
      #expect(text.contains(#"<li class="tile is-pinned" id="t3">"#), "\(page)")
      #expect(text.split(separator: "is-pinned").count == 2, "\(page)")
      #expect(text.contains(", pinned\">"), "\(page)")
    }

    _ = try await bench.ask("/api/v1/images/3/pin", .delete)
    _ = try await export()
    #expect(try file("index.html") == before)
  }

  @Test func `a leaf without originals names none`() async throws {
    _ = try await bench.ask("/images/3/original")
    _ = try await export(hasOriginals: false)

    #expect(names(in: "o") == [])
    let leaves = try nodes().map { String(decoding: try file("api/v1/tree/\($0)"), as: UTF8.self) }
    #expect(!leaves.contains { $0.contains("\"original\":{") })
    _ = try await export()
    #expect(names(in: "o").count == 1)
  }

  @Test func `every address in its pages leads to a file`() async throws {
    _ = try await bench.ask("/images/3/original")
    _ = try await export()
    let files = FileManager.default.enumerator(atPath: site)?.compactMap { $0 as? String } ?? []
    let pages = files.filter { $0.hasSuffix(".html") }

    #expect(pages.contains("index.html") && pages.contains("feeds/1/index.html"))
    for page in pages {
      let text = String(decoding: try file(page), as: UTF8.self)
      let folder = (page as NSString).deletingLastPathComponent
      let addresses = text.matches(of: /(?:href|src)="(\.[^"#?]+)"/).map { String($0.1) }
      #expect(addresses.count > 5)
      for address in addresses {
        let path = ((site as NSString).appendingPathComponent(folder) as NSString)
          .appendingPathComponent(address)
        #expect(FileManager.default.fileExists(atPath: path), "\(address) in \(page)")
      }
      #expect(!text.contains("href=\"/") && !text.contains("src=\"/"), "\(page)")
    }
  }

  @Test func `an export writes what has changed, and removes what is no longer there`() async throws
  {
    _ = try await export()
    #expect(try await export()["written"] as? Int == 0)
    let before = names(in: "t")
    try await bench.sync(try more(number: 1))

    _ = try await export()
    #expect(names(in: "t").isSuperset(of: before))
    #expect(names(in: "feeds") == ["1", "2"])

    _ = try await bench.ask("/api/v1/feeds/1", .delete)
    _ = try await export()
    #expect(names(in: "feeds") == ["2"])
    #expect(names(in: "t").isDisjoint(with: before))
    let index = String(decoding: try file("index.html"), as: UTF8.self)
    #expect(index.contains("Another") && !index.contains("Seeding"))
  }

  @Test func `a site after many exports is the one of a single export`() async throws {
    _ = try await export()
    try await bench.sync(try more(number: 1))
    _ = try await export(hasOriginals: false)
    try await bench.sync(try more(number: 2))
    _ = try await export()
    _ = try await export(to: "\(bench.folder)/other")

    #expect(FileManager.default.contentsEqual(atPath: site, andPath: "\(bench.folder)/other"))
  }

  @Test func `secrets in addresses are masked`() async throws {
    let feed = try more(number: 1, original: "https://me:secret@example.com/a.jpg?token=hidden")
    try await bench.sync(feed)
    _ = try await export()

    let files = FileManager.default.enumerator(atPath: site)?.compactMap { $0 as? String } ?? []
    for name in files where !name.hasPrefix("t/") && !name.hasPrefix("o/") {
      guard let bytes = FileManager.default.contents(atPath: "\(site)/\(name)") else { continue }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains("secret@") && !text.contains("=hidden"), "\(name)")
    }
  }

  /// The address of a feed with one image, whose entry and pictures depend on the number.
  private func more(number: Int, original: String = "large.jpg") throws -> String {
    let folder = "\(bench.folder)/more"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let picture = PictureBytes.longJPEG(40 + number)
    try Data(picture).write(to: URL(filePath: "\(folder)/small.jpg"))
    try Data(picture).write(to: URL(filePath: "\(folder)/large.jpg"))
    let document = """
      <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>More</title>
      <item><title>Another \(number)</title><guid>\(number)</guid>
      <pubDate>Sun, 01 Nov 2026 08:00:00 GMT</pubDate>
      <media:content url="\(original)" medium="image"/><media:thumbnail url="small.jpg"/></item>
      </channel></rss>
      """
    try Data(document.utf8).write(to: URL(filePath: "\(folder)/feed.xml"))
    return WebAddress(filePath: "\(folder)/feed.xml", relativeTo: "/").text
  }
}
