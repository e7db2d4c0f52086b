import Foundation
import TestSupport
import Testing

/// Feeds that name originals and no thumbnails.
struct MadeThumbnailTests {
  private let library: TestLibrary
  private let site: PhotoSite

  init() throws {
    library = try TestLibrary()
    site = try PhotoSite()
  }

  /// Serves an RSS feed of enclosures, the first one the newest.
  private func putUp(_ pictures: KeyValuePairs<String, [UInt8]>) -> String {
    var items = ""
    for (name, bytes) in pictures {
      site.set("/\(name)", .init(type: "image/jpeg", body: bytes))
      items += "<item><title>\(name)</title><guid>\(name)</guid>"
      items += #"<enclosure url="/\#(name)" type="image/jpeg" length="0"/></item>"#
    }
    let feed = "<rss version=\"2.0\"><channel><title>Bare</title>\(items)</channel></rss>"
    site.set("/bare.xml", .init(type: "application/rss+xml", body: Array(feed.utf8)))
    return site.address("/bare.xml")
  }

  /// The sizes of the thumbnails in the feed's order, with nil for a missing one.
  private func sizes() throws -> [String?] {
    let lines = try library.program.run("list", "--json", "--sort", "feed").output
    return try lines.split(separator: "\n").map { line in
      let image = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let thumbnail = image?["thumbnail"] as? [String: Any]
      guard thumbnail?["stored"] as? Bool == true else { return nil }
      return "\(thumbnail?["width"] ?? "") x \(thumbnail?["height"] ?? "")"
    }
  }

  private func partials() -> [String] {
    // The folder does not exist before the first fetch.
    (try? FileManager.default.contentsOfDirectory(atPath: library.path + "/partial")) ?? []
  }

  @Test func `makes a thumbnail of each format, upright`() throws {
    let feed = putUp([
      "turned.jpg": TestPicture.jpeg(width: 1_600, height: 400, orientation: 6),
      "a.png": SmallPictures.png, "a.webp": SmallPictures.webP, "a.gif": SmallPictures.gif,
      "a.avif": SmallPictures.avif,
    ])

    let result = try library.program.run("sync", feed)

    #expect(result.errors == "")
    #expect(result.output.contains("5 thumbnails stored"))
    #expect(result.status == 0)
    #expect(try sizes() == ["160 x 640", "32 x 16", "32 x 16", "32 x 16", "32 x 16"])
    #expect(partials() == [])
    #expect(try library.program.run("verify").status == 0)
    #expect(try !library.program.run("list").output.contains("original"))
  }

  @Test func `a hostile picture costs itself a thumbnail and no other one`() throws {
    let picture = TestPicture.jpeg(width: 64, height: 48)
    let svg = #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><g></svg>"#
    let feed = putUp([
      "bomb.jpg": TestPicture.bomb,
      "cut.jpg": Array(picture.prefix(picture.count / 2)),
      "broken.jpg": TestPicture.large(bytes: 10_000), "page.jpg": Array("<html></html>".utf8),
      "drawing.svg": Array(svg.utf8), "empty.jpg": [], "good.jpg": picture,
    ])

    let result = try library.program.run("sync", feed, "--verbose")
    let asked = site.targets.count
    let again = try library.program.run("sync", feed)

    let names = ["bomb", "cut", "broken", "page", "drawing", "empty"]
    let lines = result.errors.split(separator: "\n").filter { $0.hasPrefix("cannot make a ") }
    #expect(lines.count == names.count)
    for name in names {
      let start = "cannot make a thumbnail of '\(site.address("/\(name)."))"
      #expect(lines.contains { $0.hasPrefix(start) }, "\(name)")
    }
    #expect(result.output.contains("1 thumbnail stored, 6 failed"))
    #expect(result.status == 2)
    #expect(try sizes() == [nil, nil, nil, nil, nil, nil, "64 x 48"])
    #expect(partials() == [])
    #expect(again.errors == "")
    #expect(!site.targets[asked...].contains("/bomb.jpg"))
  }

  @Test func `the rest waits that the budget has no room for, and show makes the one it fetches`()
    throws
  {
    let picture = TestPicture.jpeg(width: 64, height: 48, filling: 3_000)
    let feed = putUp(["1.jpg": picture, "2.jpg": picture, "3.jpg": picture])
    let program = library.program

    let first = try program.run("sync", feed, "--budget", "1K")
    _ = try program.run("show", "3")
    let shown = try sizes()
    let second = try program.run("sync", feed, "--budget", "4K")

    #expect(first.output.contains("3 thumbnails waiting"))
    #expect(shown == [nil, nil, "64 x 48"])
    #expect(second.output.contains("1 thumbnail stored, 1 waiting"))
    #expect(try sizes().count { $0 == "64 x 48" } == 2)
    #expect(try sizes().last == "64 x 48")
  }

  @Test func `with originals each is fetched once, and a changed one is seen`() throws {
    let feed = putUp(["1.jpg": TestPicture.jpeg(width: 64, height: 48)])
    let program = library.program

    let first = try program.run("sync", feed, "--originals")
    let asked = site.targets
    site.set("/1.jpg", .init(type: "image/jpeg", body: TestPicture.jpeg(width: 80, height: 60)))
    let second = try program.run("sync", feed, "--retry-failed", "--force")

    #expect(first.output.contains("1 thumbnail stored; 1 original stored"))
    #expect(asked == ["/bare.xml", "/1.jpg"])
    #expect(second.status == 0)
    #expect(try program.run("show", "1", "--refresh").status == 0)
    _ = try program.run("sync", feed)
    #expect(try sizes() == ["80 x 60"])
  }

  @Test func `a damaged one is found and made again`() throws {
    let feed = putUp(["1.jpg": TestPicture.jpeg(width: 640, height: 480)])
    let program = library.program
    _ = try program.run("sync", feed)
    let damage = """
      import hashlib, sqlite3
      db = sqlite3.connect('\(library.path)/gallery.sqlite')
      data = open('\(library.path)/thumbnails/1.pack', 'rb').read()
      middle = data.index(bytes([255, 0xDA])) - 40
      spoilt = data[:middle] + bytes(40) + data[middle+40:]
      open('\(library.path)/thumbnails/1.pack', 'wb').write(spoilt)
      # PictureChecksum: as if the thumbnail had been stored like this.
      add = lambda word, sum: (
        lambda product: product ^ product >> 32)(((sum ^ word) * 0x100000001b3) % 2**64)
      seed, end = 0xcbf29ce484222325, len(spoilt) // 32 * 32
      parts = [seed] * 4
      for start in range(0, end, 8):
        word = int.from_bytes(spoilt[start:start+8], 'little')
        parts[start // 8 % 4] = add(word, parts[start // 8 % 4])
      sum = seed ^ len(spoilt)
      for value in parts + list(spoilt[end:]): sum = add(value, sum)
      db.execute('UPDATE thumbnail SET checksum = ?', (sum - (sum >> 63) * 2**64,))
      db.execute('UPDATE image SET thumbnail_sha256 = ?', (hashlib.sha256(spoilt).digest(),))
      db.commit()
      """
    _ = try program.shell("python3 -c \"\(damage)\"")

    let found = try program.run("verify")
    let repaired = try program.run("verify", "--repair")

    #expect(found.output.contains("* thumbnail of 1: it is damaged beyond decoding"))
    #expect(repaired.output.contains("= thumbnail of 1: repaired"))
    #expect(try program.run("verify").status == 0)
  }
}
