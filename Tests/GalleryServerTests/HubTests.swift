import Foundation
import HTTPTypes
import Models
import TestSupport
import Testing
import Threading
import Workers

@testable import gallery_server

/// The requests of hubs, and of clients that pretend to be hubs.
@Suite(.timeLimit(.minutes(60)))
struct HubTests {
  private static let topic = "https://example.org/feed"

  /// A gallery server with a feed, and the server of that feed, which is its hub.
  private struct Meeting {
    let bench: ServerBench
    let hub: LoopbackServer
    let renewal: Task<Void, Never>

    init(_ settings: GalleryServer.Settings = Self.settings) async throws {
      let hub = try LoopbackServer { request in
        if request.target == "/hub" { return .whole(status: 202) }
        let feed = """
          {"version":"https://jsonfeed.org/version/1.1","title":"a","items":[],\
          "feed_url":"\(HubTests.topic)","hubs":[{"type":"WebSub","url":"/hub"}]}
          """
        return .whole(Array(feed.utf8))
      }
      self.hub = hub
      bench = try await ServerBench(settings, syncing: "http://127.0.0.1:\(hub.port)/feed.json")
      let subscriber = try #require(bench.server.subscriber)
      renewal = Task { await subscriber.run() }
    }

    static var settings: GalleryServer.Settings {
      var settings = GalleryServer.Settings()
      settings.publicURL = WebAddress("https://photos.example.org/")
      return settings
    }

    /// Delivers as the hub, with a signature.
    func deliver(_ path: String, signed signature: String?, _ body: String) async throws -> Int {
      var fields = HTTPFields()
      fields[try #require(HTTPField.Name("X-Hub-Signature"))] = signature
      return try await ask(path, .post, fields, body: body).status
    }

    /// The form of the first request to the hub, and the path of its callback.
    func request() async throws -> (form: [String: String], path: String) {
      // The first request is for the feed, and the second one is for the hub.
      await hub.arrivals.reaches(2)
      let form = try #require(hub.requests.last).form
      let callback = try #require(form["hub.callback"].flatMap(URL.init(string:)))
      return (form, callback.path)
    }

    /// Sends a request as the hub, which has no token.
    func ask(
      _ path: String,
      _ method: HTTPRequest.Method = .get,
      _ fields: HTTPFields = [:],
      body: String = ""
    ) async throws -> ServerBench.Answer {
      try await bench.ask(path, method, fields, host: "photos.example.org", body: body)
    }

    func confirm(_ path: String, topic: String = HubTests.topic) async throws -> ServerBench.Answer
    {
      let query = "hub.mode=subscribe&hub.topic=\(topic)&hub.challenge=a%20b&hub.lease_seconds=900"
      return try await ask("\(path)?\(query)")
    }
  }

  @Test func `asks the hub for a subscription with a secret, and confirms it`() async throws {
    let meeting = try await Meeting()
    defer { meeting.renewal.cancel() }
    let (form, path) = try await meeting.request()

    #expect(form["hub.mode"] == "subscribe")
    #expect(form["hub.topic"] == Self.topic)
    #expect(form["hub.callback"]?.hasPrefix("https://photos.example.org/websub/") == true)
    #expect(form["hub.secret"]?.utf8.count == 64)
    #expect(path.hasSuffix(form["hub.secret"] ?? "") == false)

    let answer = try await meeting.confirm(path)
    #expect(answer.status == 200)
    #expect(answer.text == "a b")
    #expect(answer.fields[.contentType] == "text/plain; charset=utf-8")
    let feed = try #require(
      try await meeting.bench.ask("/api/v1/feeds").json["feeds"] as? [[String: Any]]
    ).first
    #expect(feed?["hubURL"] as? String == "http://127.0.0.1:\(meeting.hub.port)/hub")
    #expect(feed?["pushedUntil"] is String)
    for page in ["/metrics", "/feeds", "/api/v1/feeds", "/api/v1/openapi.json"] {
      let text = try await meeting.bench.ask(page).text
      #expect(!text.contains(path.suffix(64)) && !text.contains(form["hub.secret"] ?? ""))
    }
  }

  @Test func `asks the feed once a delivery has the right signature, and not before`() async throws
  {
    let meeting = try await Meeting()
    defer { meeting.renewal.cancel() }
    let (form, path) = try await meeting.request()
    _ = try await meeting.confirm(path)
    let body = "anything"
    let right = try code(of: body, form["hub.secret"] ?? "")

    let zeros = "sha256=" + String(repeating: "0", count: 64)
    for wrong in [nil, "", "sha256=00", zeros, "md5=\(right)"] {
      #expect(try await meeting.deliver(path, signed: wrong, body) == 202)
    }
    #expect(try await meeting.deliver(path, signed: right, body + "!") == 202)
    #expect(await meeting.bench.server.jobs.counts == (0, 0))

    #expect(try await meeting.deliver(path, signed: right, body) == 202)
    await meeting.hub.arrivals.reaches(3)
    #expect(meeting.hub.requests.last?.target == "/feed.json")
  }

  /// The signature of a body, computed by a different program than the tested one.
  private func code(of body: String, _ secret: String) throws -> String {
    let openssl = ["/usr/bin/openssl", "dgst", "-sha256", "-hmac", secret]
    let output = try ChildProcess.run(openssl, reading: Array(body.utf8)).output
    let text = String(decoding: output, as: UTF8.self)
    return "sha256=" + (text.split(separator: " ").last ?? "").filter(\.isHexDigit)
  }

  @Test func `a body that is too long has no effect`() async throws {
    let meeting = try await Meeting()
    defer { meeting.renewal.cancel() }
    let (form, path) = try await meeting.request()
    _ = try await meeting.confirm(path)
    let body = String(repeating: "x", count: Limits.deliveryBytes + 1)
    let right = try code(of: body, form["hub.secret"] ?? "")

    #expect(try await meeting.deliver(path, signed: right, body) == 202)
    #expect(await meeting.bench.server.jobs.counts == (0, 0))
  }

  @Test func `a hub that denies is believed, for its own topic`() async throws {
    let meeting = try await Meeting()
    defer { meeting.renewal.cancel() }
    let (_, path) = try await meeting.request()
    _ = try await meeting.confirm(path)
    let denial = "\(path)?hub.mode=denied&hub.reason=no&hub.topic="

    #expect(try await meeting.ask(denial + "https://example.org/x").status == 404)
    #expect(try await meeting.bench.ask("/api/v1/feeds").text.contains("pushedUntil"))
    #expect(try await meeting.ask(denial + Self.topic).status == 200)
    #expect(!(try await meeting.bench.ask("/api/v1/feeds").text.contains("pushedUntil")))
  }

  @Test func `says nothing to those who do not know a path`() async throws {
    let meeting = try await Meeting()
    defer { meeting.renewal.cancel() }
    let (_, path) = try await meeting.request()
    let other = "/websub/" + String(repeating: "0", count: 64)

    #expect(try await meeting.confirm(path, topic: "https://example.org/x").status == 404)
    #expect(try await meeting.confirm(other).status == 404)
    for query in ["", "?hub.mode=unsubscribe&hub.challenge=a&hub.topic=\(Self.topic)", "?token=a"] {
      #expect(try await meeting.ask(path + query).status == 404)
    }
    for unknown in [other, "/websub/a", "\(path)0"] {
      #expect(try await meeting.ask(unknown, .post).status == 410)
    }
    #expect(try await meeting.ask("/websub/../feeds", .post).status == 404)
    #expect(try await meeting.ask(path, .put).status == 405)
    #expect(try await meeting.ask("/websub/").status == 404)
    #expect(try await meeting.ask("\(path)/a").status == 404)
  }

  /// The public host name leads only to the callbacks.
  @Test(arguments: ["/", "/feeds", "/api/v1/images", "/healthz", "/websub", "/metrics"])
  func `opens nothing else`(path: String) async throws {
    let bench = try await ServerBench(Meeting.settings, syncing: nil)

    #expect(try await bench.ask(path, .get, [:], host: "photos.example.org").status == 421)
    let own = try await bench.ask(path, .get, [:])
    #expect(own.status == (path == "/healthz" ? 200 : 401))
  }

  @Test func `callbacks are open by the public name alone`() async throws {
    var settings = Meeting.settings
    settings.hosts = ["home.example"]
    let meeting = try await Meeting(settings)
    defer { meeting.renewal.cancel() }
    let (_, path) = try await meeting.request()

    for host in ["127.0.0.1:8470", "localhost", "home.example"] {
      #expect(try await meeting.bench.ask(path, .get, [:], host: host).status == 401)
      #expect(try await meeting.bench.ask(path, .post, [:], host: host).status == 401)
    }
    #expect(try await meeting.bench.ask(path, .get, [:], host: "other.example").status == 421)
    #expect(try await meeting.confirm(path).status == 200)
  }

  @Test func `without a public address there are no callbacks`() async throws {
    let bench = try await ServerBench(syncing: nil)
    let path = "/websub/" + String(repeating: "0", count: 64)

    #expect(bench.server.subscriber == nil)
    #expect(try await bench.ask(path, .get, [:]).status == 401)
    #expect(try await bench.ask(path).status == 404)
    #expect(try await bench.ask(path, .post).status == 404)
  }

  @Test func `stands below the base path`() async throws {
    var settings = Meeting.settings
    settings.basePath = "/gallery"
    settings.publicURL = WebAddress("https://photos.example.org/pictures")
    let meeting = try await Meeting(settings)
    defer { meeting.renewal.cancel() }
    let (_, path) = try await meeting.request()

    #expect(path.hasPrefix("/pictures/websub/"))
    let own = path.replacing("/pictures", with: "/gallery")
    #expect(try await meeting.confirm(own).status == 200)
    #expect(try await meeting.confirm(path).status == 421)
  }

  @Test(arguments: ["/websub/0123", "/gallery/websub/0123/4"])
  func `the log has no path of a callback`(path: String) {
    #expect(GalleryServer.logged(path).hasSuffix("/websub/***"))
    #expect(GalleryServer.logged("/feeds/3") == "/feeds/3")
  }
}
