import Foundation
import TestSupport
import Testing

/// The corpus of feed documents, synced into a folder and into PostgreSQL.
struct CorpusInDatabaseTests {
  /// The output of a store after a sync of all documents.
  private struct Said: Equatable {
    /// Lines of `feeds --json`, by the addresses of the feeds.
    var feeds: [String: String] = [:]
    /// Lines of `list --json` in their order, by the addresses of their feeds.
    var images: [String: [String]] = [:]
  }

  private struct Feed: Decodable {
    let id: Int
    let url: String
  }

  private struct Image: Decodable {
    let title: String?
    let feed: Reference
    struct Reference: Decodable { let id: Int }
  }

  private let library: TestLibrary
  private let database: String

  init() throws {
    library = try TestLibrary()
    let server = try PostgresServer.shared.get()
    let schema = "t" + UUID().uuidString.replacing("-", with: "").lowercased()
    try server.execute("CREATE SCHEMA \(schema)")
    database = server.address(schema: schema)
  }

  @Test func `a database has of each document what a folder has, and finds the same`() throws {
    let documents = Checkout.folder.appending(path: "Tests/FeedFormatsTests/Documents").path
    // Documents link to others on the web; an unreachable proxy blocks these requests.
    let synced = try library.program.shell(
      """
      export XDG_DATA_HOME="$PWD/data" http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9
      for place in library '\(database)'; do
        find '\(documents)' -type f '(' -name '*.?*ml' -o -name '*.json' ')' -print0 | sort -z |
          xargs -0 gallery --cache "$place" sync --metadata-only --quiet 2>/dev/null
      done
      """
    )
    let folder = try said(by: "library")
    let there = try said(by: database)

    #expect(folder.feeds.count > 305, "\(synced)")
    for (address, feed) in folder.feeds {
      #expect(there.feeds[address] == feed)
      #expect(there.images[address] == folder.images[address], "\(address)")
    }
    #expect(there.feeds.count == folder.feeds.count)
    try expectSameFound(folder)
  }

  private func said(by place: String) throws -> Said {
    let feeds = try lines("feeds", of: place)
    let images = try lines("list --limit 100000", of: place)
    var (said, addresses) = (Said(), [Int: String]())
    for line in feeds {
      let feed = try JSONDecoder().decode(Feed.self, from: Data(line.utf8))
      let address = feed.url.replacing(Self.secure, with: "http:")
      addresses[feed.id] = address
      said.feeds[address] = steady(line)
    }
    for line in images {
      let image = try JSONDecoder().decode(Image.self, from: Data(line.utf8))
      let address = try #require(addresses[image.feed.id])
      said.images[address, default: []].append(steady(line))
    }
    return said
  }

  /// Searches for words of titles in both stores.
  private func expectSameFound(_ said: Said) throws {
    let lines = said.images.sorted { $0.key < $1.key }.compactMap(\.value.first)
    let titles = try lines.compactMap { line in
      try JSONDecoder().decode(Image.self, from: Data(line.utf8)).title
    }
    let words: [Substring] = titles.compactMap { title in
      title.split { !$0.isLetter }.max { $0.count < $1.count }
    }
    for index in stride(from: 0, to: words.count, by: words.count / 12) {
      let search = "list --limit 100000 --search '\(words[index])'"
      let found = try [library.path, database].map { place in
        try self.lines(search, of: place).map(steady).sorted()
      }
      #expect(!found[0].isEmpty && found[0] == found[1], "\(words[index])")
    }
  }

  private func lines(_ command: String, of place: String) throws -> [String] {
    let result = try library.program.shell(
      "XDG_DATA_HOME=$PWD/data gallery --cache '\(place)' \(command) --json"
    )
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  /// The scheme of a feed that two lists name with http and https; it is the one that is asked for first.
  private static let secure = "https:"

  /// A line without ids, times, and the scheme of its feed, which depend on the order of storing.
  private func steady(_ line: String) -> String {
    line.replacing(/"id":\d+/, with: "\"id\":0")
      .replacing("\"url\":\"https:", with: "\"url\":\"http:", maxReplacements: 1)
      .replacing(/"(lastSync|nextSync)":"[^"]*"/, with: { "\"\($0.output.1)\":0" })
  }
}
