import CurlNetwork
import Foundation
import Models
import TestSupport
import Testing
import Workers

/// Requests that send a body, and the links in which a server gives addresses.
@Suite(.timeLimit(.minutes(60)))
struct ContentTests {
  private let worker = NetworkWorker.testing()
  private let form = NetworkContent.form([("a b", "c&d=é"), ("e", "")])

  private func request(_ server: LoopbackServer, _ path: String = "/") throws -> NetworkRequest {
    var request = try server.request(path)
    request.content = form
    return request
  }

  @Test func `sends a form by POST, and the next request is a GET again`() async throws {
    let server = try LoopbackServer.always(.whole(status: 202))

    for number in 0..<3 {
      let asked = number == 1 ? try server.request() : try request(server)
      #expect(try await worker.fetch(asked).header.status == 202)
    }

    #expect(server.requests.map(\.method) == ["POST", "GET", "POST"])
    let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies == ["a%20b=c%26d%3D%C3%A9&e=", "", "a%20b=c%26d%3D%C3%A9&e="])
    #expect(server.requests.first?["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(server.requests.first?.form == ["a b": "c&d=é", "e": ""])
    #expect(server.connections.count == 1)
  }

  @Test(arguments: [307, 308])
  func `follows a redirect that keeps the method`(status: Int) async throws {
    let server = try LoopbackServer { request in
      request.target == "/" ? .redirect(to: "/b", status: status) : .whole([1])
    }

    #expect(try await worker.fetch(request(server)).body == [1])
    #expect(server.requests.map(\.method) == ["POST", "POST"])
    #expect(server.requests.map { NetworkContent.Body.bytes($0.body) } == [form.body, form.body])
  }

  @Test(arguments: [
    (301, "/b"), (302, "/b"), (303, "/b"), (307, "ftp://127.0.0.1/"), (308, "file:///etc/passwd"),
  ])
  func `makes no GET of what it sends`(status: Int, target: String) async throws {
    let server = try LoopbackServer.always(.redirect(to: target, status: status))

    #expect(await worker.failure(of: try request(server))?.reason == .refused)
    #expect(server.arrivals.count == 1)
  }

  @Test func `gives up when redirects do not end`() async throws {
    let server = try LoopbackServer.always(.redirect(to: "/again", status: 307))

    let failure = await worker.failure(of: try request(server))

    #expect(failure?.reason == .tooManyRedirects(limit: 10))
    #expect(server.arrivals.count == 11)
  }

  @Test(arguments: ["gzip", "odd"])
  func `sends a form once if the response cannot be unpacked`(encoding: String) async throws {
    let server = try LoopbackServer.always(
      .whole([1, 2, 3], fields: ["Content-Encoding: \(encoding)"])
    )

    _ = await worker.failure(of: try request(server))

    #expect(server.arrivals.count == 1)
  }

  @Test func `a redirect leads no further than the request may`() async throws {
    let other = try LoopbackServer.always(.whole(), on: "127.0.0.2")
    let server = try LoopbackServer.always(
      .redirect(to: "http://127.0.0.2:\(other.port)/", status: 307)
    )
    var request = try request(server)
    request.reach = .host("127.0.0.1")

    #expect(await worker.failure(of: request)?.reason == .privateAddress)
    #expect(other.arrivals.count == 0)
  }

  @Test func `takes no login and no field of the user along`() async throws {
    let netrc = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data("machine 127.0.0.1 login moon password secret".utf8).write(to: netrc)
    defer { try? FileManager.default.removeItem(at: netrc) }
    let server = try LoopbackServer.always(.whole())
    let worker = NetworkWorker.testing(
      netrcFile: netrc.path,
      originFields: [
        OriginFields(for: try #require(server.address("/")), [.init(name: "X-Secret", value: "a")])
      ]
    )

    _ = try await worker.fetch(try server.request())
    _ = try await worker.fetch(try request(server))

    #expect(server.requests.map { $0["Authorization"] != nil } == [true, false])
    #expect(server.requests.map { $0["X-Secret"] } == ["a", nil])
  }

  @Test(arguments: [500, 503, 429])
  func `does not repeat what may have arrived`(status: Int) async throws {
    let server = try LoopbackServer.always(.whole(status: status))

    #expect(try await worker.fetch(request(server)).header.status == status)
    #expect(server.arrivals.count == 1)
  }

  // MARK: Files

  private func temporaryFile(_ bytes: [UInt8]) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(bytes).write(to: file)
    return file.path
  }

  private func upload(_ path: String, to server: LoopbackServer) throws -> NetworkRequest {
    var request = try server.request("/o")
    let fields = [NetworkContent.Field("If-None-Match", "*")]
    request.content = NetworkContent(.put, fields: fields, body: .file(path: path))
    return request
  }

  @Test func `puts a file with its fields, and the whole file again after a refusal`() async throws
  {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let path = try temporaryFile(bytes)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let refusals = Tally()
    let server = try LoopbackServer { request in
      guard request.method == "PUT", refusals.count < 2 else { return .whole() }
      refusals.add()
      return .whole(status: 503)
    }

    #expect(try await worker.fetch(upload(path, to: server)).header.status == 200)
    #expect(try await worker.fetch(server.request()).header.status == 200)
    #expect(try await worker.fetch(request(server)).header.status == 200)

    #expect(server.requests.map(\.method) == ["PUT", "PUT", "PUT", "GET", "POST"])
    #expect(server.requests.map { $0.body == bytes } == [true, true, true, false, false])
    #expect(server.requests.map { $0["If-None-Match"] } == ["*", "*", "*", nil, nil])
    #expect(server.requests[0]["Content-Type"] == nil)
    #expect(server.requests[3].body.isEmpty)
  }

  @Test func `deletes without a body`() async throws {
    let server = try LoopbackServer.always(.whole(status: 204))
    var request = try server.request("/o")
    request.content = NetworkContent(.delete)

    #expect(try await worker.fetch(request).header.status == 204)
    #expect(try await worker.fetch(server.request()).header.status == 204)
    #expect(server.requests.map(\.method) == ["DELETE", "GET"])
    #expect(server.requests[0].body.isEmpty)
  }

  @Test func `sends no file elsewhere, and none that is not there`() async throws {
    let path = try temporaryFile([1, 2])
    let server = try LoopbackServer.always(.redirect(to: "/b", status: 307))

    #expect(await worker.failure(of: try upload(path, to: server))?.reason == .refused)
    try FileManager.default.removeItem(atPath: path)
    #expect(await worker.failure(of: try upload(path, to: server))?.reason == .unreadableFile)
    #expect(server.arrivals.count == 1)
  }

  // MARK: Links

  @Test(arguments: [
    (["<https://hub.example/>; rel=\"hub\", </feed>; rel=self"], "https://hub.example/", "/feed"),
    (["</feed>; rel=\"self hub\""], "/feed", "/feed"),
    (["<ftp://a.b/>; rel=hub", "</b>; rel=\"HUB\""], "/b", nil),
    (["<https://u:p@a.b/>; rel=hub, <a>; rel=next; title=\"hub\""], nil, nil),
    (["</a>; rel=hubs, </b>; rel=\"xself\""], nil, nil),
  ])
  func `reads which hub a header names, and the document's own address there`(
    fields: [String],
    hub: String?,
    topic: String?
  ) async throws {
    let server = try LoopbackServer.always(.whole(fields: fields.map { "Link: \($0)" }))
    let request = try server.request("/folder/page")

    let push = try await worker.fetch(request).header.push

    #expect(push.hub == hub.flatMap(request.address.resolving))
    #expect(push.topic == topic.flatMap(request.address.resolving))
  }

  @Test func `reads a bounded number of hubs`() async throws {
    let unusable = Array(repeating: "Link: <ftp://a.b/>; rel=hub", count: 8)
    let fields = unusable + ["Link: <https://hub.example/>; rel=hub"]
    let server = try LoopbackServer.always(.whole(fields: fields))

    #expect(try await worker.fetch(try server.request()).header.push.hub == nil)
  }
}
