import Composition
import Foundation
import HTTPTypes
import Hummingbird
import Models
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import TestSupport
import Testing
import Web
import Workers

@testable import gallery_server

/// Streams of events (server-sent events, HTML, section 9.2).
struct EventTests {
  /// Opens a stream, which has sent its first event.
  private func open(
    _ bench: ServerBench,
    _ path: String = "/api/v1/events",
    _ fields: HTTPFields = ServerBench.admin
  ) async throws -> (stream: EventStream, channel: NIOAsyncTestingChannel) {
    let channel = NIOAsyncTestingChannel()
    try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
    let response = try await bench.response(path, .get, fields, on: channel)
    #expect(response.status == .ok)
    #expect(response.headers[.contentType] == "text/event-stream")
    #expect(response.headers[.contentLength] == nil)
    let (stream, first) = try #require(bench.server.following.takeStream(of: channel))
    stream.begin(response.head, first)
    return (stream, channel)
  }

  /// Reads a stream until it contains a text.
  private func stream(
    _ bench: ServerBench,
    _ path: String = "/api/v1/events",
    _ fields: HTTPFields = ServerBench.admin,
    until isEnough: (String) -> Bool
  ) async throws -> String {
    let (stream, channel) = try await open(bench, path, fields)
    async let end: Void = stream.follow(bench.server.following.watcher)
    var text = ""
    repeat {
      let part = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
      if case .body(let bytes) = part { text += String(buffer: bytes) }
    } while !isEnough(text)
    try await channel.close()
    await end
    return text
  }

  /// The data of the events of a stream.
  private func events(_ text: String) -> [[String: Any]] {
    text.split(separator: "\n").filter { $0.hasPrefix("data: ") }.map { line in
      let data = Data(line.dropFirst("data: ".count).utf8)
      return (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
    }
  }

  @Test func `tells the state first, and then each change`() async throws {
    let bench = try await ServerBench()

    let text = try await stream(bench) { text in
      if text.split(separator: "\n").count(where: { $0.hasPrefix("id: ") }) == 1 {
        Task { _ = try await bench.ask("/api/v1/images/3/pin", .put) }
      }
      return text.split(separator: "\n").count { $0.hasPrefix("data: ") } == 2
    }

    #expect(text.hasPrefix("retry: 3000\n\nid: 1."))
    let events = events(text)
    #expect(events.count == 2)
    #expect(events[0]["images"] as? Int == 0)
    let cursor = try #require(events[0]["cursor"] as? String)
    #expect(try await bench.ask("/api/v1/changes?since=\(cursor)").lines.count == 2)
    #expect(text.contains("id: \(cursor)\n"))
  }

  @Test func `goes on from the last event`() async throws {
    let bench = try await ServerBench()
    let cursor = try #require(
      try await bench.ask("/api/v1/changes").lines.last?["cursor"] as? String
    )
    _ = try await bench.ask("/api/v1/feeds/1", .delete)
    var fields = ServerBench.admin
    fields[HTTPField.Name("Last-Event-ID")!] = cursor

    let event = try #require(
      events(try await stream(bench, "/api/v1/events", fields) { $0.contains("data:") }).first
    )

    #expect(event["images"] as? Int == 12)
    #expect(event["feeds"] as? [Int] == [1])
  }

  @Test(arguments: ["x", "1.aa.1.0.0.4"]) func `an event that is no longer valid resets`(
    id: String
  ) async throws {
    let bench = try await ServerBench()

    let text = try await stream(bench, "/api/v1/events?since=\(id)") { $0.contains("data:") }

    #expect(text.contains("\n\nevent: reset\nid: 1."))
  }

  @Test func `a limited token does not hear what changes elsewhere`() async throws {
    let bench = try await ServerBench()
    let words = try bench.token(LibraryPart(search: "sea"))
    let cursor = try #require(
      try await bench.ask("/api/v1/changes", .get, words).lines.last?["cursor"] as? String
    )
    _ = try await bench.ask("/api/v1/feeds/1", .delete)

    let text = try await stream(bench, "/api/v1/events?since=\(cursor)", words) {
      $0.contains("data:")
    }

    #expect(events(text).first?["images"] as? Int == 0)
    #expect(events(text).first?["feeds"] as? [Int] == [])
  }

  @Test func `a stream ends when its token is removed`() async throws {
    let bench = try await ServerBench()
    let fields = try bench.token(LibraryPart(search: "sea"))
    let (stream, channel) = try await open(bench, "/api/v1/events", fields)

    try bench.tokens.remove(name: "part")
    await stream.follow(bench.server.following.watcher)

    var last: HTTPResponsePart?
    while let part = try await channel.readOutbound(as: HTTPResponsePart.self) { last = part }
    #expect(last == .end(nil))
  }

  @Test func `a request for the fields alone opens no stream`() async throws {
    let bench = try await ServerBench()
    let channel = NIOAsyncTestingChannel()

    let response = try await bench.response("/api/v1/events", .head, ServerBench.admin, on: channel)

    #expect(response.headers[.contentType] == "text/event-stream")
    #expect(bench.server.following.takeStream(of: channel) == nil)
    #expect(bench.server.following.streams.count == 0)
  }

  @Test func `a token has a limited number of streams`() async throws {
    let bench = try await ServerBench()
    let shares = (0..<Limits.eventStreamsPerToken).map { _ in
      bench.server.following.streams.take(for: "admin")
    }

    let answer = try await bench.ask("/api/v1/events")

    #expect(answer.status == 503)
    #expect(answer.fields[.retryAfter] == "3")
    let words = try bench.token(LibraryPart(search: "sea"))
    _ = try await stream(bench, "/api/v1/events", words) { $0.contains("data:") }
    #expect(bench.server.following.streams.count == Limits.eventStreamsPerToken)
    withExtendedLifetime(shares) {}
  }
}
