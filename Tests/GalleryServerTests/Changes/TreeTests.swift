import Foundation
import HTTPTypes
import Hummingbird
import Models
import TestSupport
import Testing
import Web
import Workers

@testable import gallery_server

/// Clients that compare their copy of the library with the tree of hashes.
struct TreeTests {
  private func node(_ bench: ServerBench, _ hash: Any?) async throws -> [String: Any] {
    let hash = try #require(hash as? String)
    let answer = try await bench.ask("/api/v1/tree/\(hash)")
    #expect(answer.status == 200)
    #expect(answer.json["hash"] as? String == hash || hash == "root")
    return answer.json
  }

  @Test func `leads from the library to each image`() async throws {
    let bench = try await ServerBench()
    _ = try await bench.ask("/api/v1/images/3/pin", .put)

    let root = try await node(bench, "root")
    let feeds = try #require(root["feeds"] as? [[String: Any]])
    let feed = try await node(bench, feeds.first?["hash"])
    let months = try #require(feed["months"] as? [[String: Any]])
    var ids: [Int] = []
    for month in months {
      let node = try await node(bench, month["hash"])
      for leaf in try #require(node["leaves"] as? [[String: Any]]) {
        let hash = try #require(leaf["hash"] as? String)
        let answer = try await bench.ask("/api/v1/tree/\(hash)")
        #expect(answer.fields[.contentType] == "application/x-ndjson")
        #expect(answer.fields[.cacheControl]?.contains("immutable") == true)
        #expect(answer.lines.count == leaf["images"] as? Int)
        #expect(answer.lines.allSatisfy { $0["data"] is [String: Any] })
        ids += answer.lines.compactMap { $0["id"] as? Int }
      }
    }
    #expect(ids.sorted() == Array(1...12))
    #expect((feed["feed"] as? [String: Any])?["type"] as? String == "feed")
    #expect((root["pins"] as? [[String: Any]])?.compactMap { $0["id"] as? Int } == [3])
    #expect(try await node(bench, root["hash"])["hash"] as? String == root["hash"] as? String)
  }

  @Test func `a client goes on behind the tree with its cursor`() async throws {
    let bench = try await ServerBench()
    let cursor = try #require(try await node(bench, "root")["cursor"] as? String)

    #expect(try await bench.ask("/api/v1/changes?since=\(cursor)").lines.count == 1)
    _ = try await bench.ask("/api/v1/images/3/pin", .put)
    #expect(try await bench.ask("/api/v1/changes?since=\(cursor)").lines.count == 2)
  }

  @Test func `a node that does not hold any more is not found`() async throws {
    let bench = try await ServerBench()
    let root = try await node(bench, "root")
    let feed = try await node(bench, (root["feeds"] as? [[String: Any]])?.first?["hash"])
    let month = try await node(bench, (feed["months"] as? [[String: Any]])?.first?["hash"])
    let leaf = try #require((month["leaves"] as? [[String: Any]])?.first?["hash"] as? String)
    #expect(try await bench.ask("/api/v1/tree/\(leaf)").status == 200)

    _ = try await bench.ask("/api/v1/feeds/1", .delete)

    let answer = try await bench.ask("/api/v1/tree/\(leaf)")
    #expect(answer.status == 404)
    #expect((answer.json["detail"] as? String)?.contains("/api/v1/tree/root") == true)
    #expect(try await bench.ask("/api/v1/tree/x").status == 404)
  }

  @Test func `is for those who see the whole library`() async throws {
    let bench = try await ServerBench()
    let words = try bench.token(LibraryPart(search: "sea"))

    #expect(try await bench.ask("/api/v1/tree/root", .get, words).status == 403)
    let pack = "/p/" + String(repeating: "0", count: 64)
    #expect(try await bench.ask(pack, .get, words).status == 403)
    #expect(try await bench.ask(pack).status == 404)
  }

  @Test func `an empty library has no tree`() async throws {
    #expect(try await ServerBench(syncing: nil).ask("/api/v1/tree/root").status == 404)
  }
}
