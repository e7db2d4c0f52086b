import CurlNetwork
import Foundation
import Models
import TestSupport
import Testing
import Workers

@testable import ObjectStore

/// The adapter with simulated responses of a store; `Scripts/objects` tests it with a real store.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct S3ObjectStoreTests {
  private let hash = SHA256Digest(words: [.max, 0, 0, 1])
  private let bytes: [UInt8] = [1, 2, 3, 4]
  private let path = FileManager.default.temporaryDirectory.path + "/gallery-\(UUID())"

  private func store(
    _ server: LoopbackServer,
    _ environment: [String: String] = [
      "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "hidden",
    ]
  ) throws -> S3ObjectStore {
    let endpoint = ["AWS_ENDPOINT_URL": "http://127.0.0.1:\(server.port)"]
    var retries = RetryPolicy()
    (retries.firstDelay, retries.longestDelay) = (.milliseconds(1), .milliseconds(30))
    return S3ObjectStore(
      try #require(S3Location("s3://photos/of-2026")),
      S3Settings(environment: environment.merging(endpoint) { $1 }),
      network: NetworkWorker(userAgent: "test", retries: retries, environment: [:])
    )
  }

  private var original: ObjectOriginal {
    ObjectOriginal(id: 1, path: path, hash: hash, format: .png, bytes: 4, imageIDs: [1])
  }

  private func list(
    _ objects: [(key: String, bytes: Int)],
    isCut: Bool = false,
    fields: [String] = []
  ) -> LoopbackResponse {
    let contents = objects.map { key, bytes in
      """
      <Contents><Key>\(key)</Key><LastModified>2009-10-12T17:50:30.000Z</LastModified>
      <ETag>"x"</ETag><Size>\(bytes)</Size></Contents>
      """
    }
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>photos</Name>
      <IsTruncated>\(isCut)</IsTruncated>\(contents.joined())</ListBucketResult>
      """
    return .whole(Array(text.utf8), fields: fields)
  }

  private func put(_ server: LoopbackServer) async throws {
    try Data(bytes).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await store(server).put(original)
  }

  private func error(_ body: () async throws -> Void) async -> StoreError? {
    do { try await body() } catch { return error as? StoreError }
    return nil
  }

  private var key: String { "of-2026/o/ff/\(hash.hexadecimal)" }

  @Test func `puts an original under its hash, unless it is there`() async throws {
    let server = try LoopbackServer.always(.whole())

    try await put(server)

    let request = try #require(server.requests.first)
    #expect(server.requests.count == 1)
    #expect(request.method == "PUT")
    #expect(request.target == "/photos/\(key)")
    #expect(request.body == bytes)
    #expect(request["If-None-Match"] == "*")
    #expect(request["Content-Type"] == "image/png")
    #expect(request["X-Amz-Content-Sha256"] == hash.hexadecimal)
    let signed = "host;if-none-match;x-amz-content-sha256;x-amz-date"
    #expect(request["Authorization"]?.contains("SignedHeaders=content-type;\(signed),") == true)
  }

  @Test(arguments: [(4, ["PUT", "GET"]), (3, ["PUT", "GET", "PUT"])])
  func `replaces an object only when it has another length`(length: Int, methods: [String])
    async throws
  {
    let server = try LoopbackServer { request in
      if request.method == "GET" {
        return .whole([1], status: 206, fields: ["Content-Range: bytes 0-0/\(length)"])
      }
      return .whole(status: request["If-None-Match"] == "*" ? 412 : 200)
    }

    try await put(server)

    #expect(server.requests.map(\.method) == methods)
  }

  @Test func `says how a store refuses`() async throws {
    let answer = "<Error><Code>AccessDenied</Code><Message>no</Message></Error>"
    let server = try LoopbackServer.always(.whole(Array(answer.utf8), status: 403))

    let failure = await error { try await put(server) }

    #expect(failure?.reason == .objectsRefused(status: 403))
    #expect(failure?.path == "s3://photos/of-2026")
    #expect(failure?.message == "AccessDenied")
  }

  @Test(arguments: [
    ("Tue, 10 Nov 2009 17:50:30 GMT", true), ("Tue, 10 Nov 2099 17:50:30 GMT", false),
  ])
  func `a refusal by a store with another time names the clock`(
    date: String,
    isAhead: Bool
  ) async throws {
    let answer = Array("<Error><Code>RequestTimeTooSkewed</Code></Error>".utf8)
    let refusal = LoopbackResponse.whole(answer, status: 403, fields: ["Date: \(date)"])
    let server = try LoopbackServer.always(refusal)

    let failures = [
      await error { try await put(server) },
      await error { _ = try await store(server).objects(.original, behind: nil) },
    ]

    for failure in failures {
      guard case .objectsRefusedClock(let seconds)? = failure?.reason else {
        Issue.record("\(String(describing: failure))")
        continue
      }
      #expect((seconds > 0) == isAhead)
    }
  }

  @Test func `a list has the time of the store`() async throws {
    let response = list([], fields: ["Date: Tue, 10 Nov 2009 17:50:30 GMT"])
    let server = try LoopbackServer.always(response)

    let page = try await store(server).objects(.original, behind: nil)

    #expect(page.date == Date(timeIntervalSince1970: 1_257_875_430))
  }

  @Test func `puts again when a store is busy for a moment`() async throws {
    let refusals = Tally()
    let server = try LoopbackServer { _ in
      guard refusals.count < 1 else { return .whole() }
      refusals.add()
      return .whole(status: 503, fields: ["Retry-After: 0"])
    }

    try await put(server)

    #expect(server.requests.map(\.body) == [bytes, bytes])
  }

  @Test func `goes without a store that cannot be reached`() async throws {
    let server = try LoopbackServer.always(.hangUp)

    #expect(
      await error { _ = try await store(server).objects(.original, behind: nil) }?.reason
        == .objectsUnreachable
    )
  }

  @Test func `needs credentials only when it asks`() async throws {
    let server = try LoopbackServer.always(.whole())
    let store = try store(server, [:])

    #expect(await error { try await store.put(original) }?.reason == .noCredentials)
    #expect(
      await error { _ = try store.address(of: hash, for: .seconds(9)) }?.reason == .noCredentials
    )
    #expect(server.requests.isEmpty)
  }

  @Test func `lists objects a page at a time, and passes over others`() async throws {
    let key = key
    let (first, last) = (
      list([(key: key, bytes: 7), (key: "of-2026/o/zz", bytes: 1)], isCut: true), list([])
    )
    let server = try LoopbackServer { request in
      request.target.contains("start-after=of-2026%2Fo%2Fzz") ? last : first
    }
    let store = try store(server)

    let page = try await store.objects(.original, behind: nil)
    let end = try await store.objects(.original, behind: page.next)

    let changed = Date(timeIntervalSince1970: 1_255_369_830)
    #expect(page.objects == [StoredObject(hash: hash, bytes: 7, changed: changed)])
    #expect(end == ObjectPage(objects: [], next: nil))
    #expect(server.requests.allSatisfy { $0.target.contains("prefix=of-2026%2Fo%2F&") })
    #expect(server.requests.allSatisfy { !$0.target.contains("hidden") })
  }

  @Test func `puts a pack whole, and reads parts of it`() async throws {
    try Data(bytes).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let server = try LoopbackServer { request in
      switch (request.method, request["Range"]) {
      case ("PUT", _): .whole()
      case (_, "bytes=1-2"): .whole([2, 3], status: 206, fields: ["Content-Range: bytes 1-2/4"])
      case (_, "bytes=0-1"): .whole([1, 2], fields: ["Content-Range: bytes 0-1/4"])
      case (_, "bytes=4-5"): .whole(status: 416)
      default: .whole(status: 404)
      }
    }
    let store = try store(server)

    try await store.put(ObjectPack(path: path, hash: hash, bytes: 4))

    #expect(try await store.bytes(ofPack: hash, in: 1..<3) == [2, 3])
    #expect(try await store.bytes(ofPack: hash, in: 4..<6) == nil)
    // A store that gives a part the status of a whole.
    #expect(try await store.bytes(ofPack: hash, in: 0..<2) == [1, 2])
    let other = SHA256Digest(words: [0, 0, 0, 1])
    #expect(try await store.bytes(ofPack: other, in: 8..<9) == nil)
    #expect(server.requests.first?.body == bytes)
    #expect(server.requests.first?["If-None-Match"] == nil)
    let key = "/photos/of-2026/p/\(hash.hexadecimal)"
    #expect(server.requests.prefix(3).allSatisfy { $0.target.hasPrefix(key) })
  }

  @Test func `takes no whole answer for a part of a pack`() async throws {
    let server = try LoopbackServer.always(.whole(bytes))

    #expect(
      await error { _ = try await store(server).bytes(ofPack: hash, in: 1..<3) }?.reason
        == .objectsUnreachable
    )
  }

  @Test(arguments: ["", "<ListBucketResult>", "<html><p></html>", "no XML"])
  func `refuses a list that is none`(text: String) async throws {
    let server = try LoopbackServer.always(.whole(Array(text.utf8)))

    #expect(
      await error { _ = try await store(server).objects(.original, behind: nil) }?.reason
        == .objectsUnreachable
    )
  }

  @Test(arguments: [
    (
      LoopbackResponse.whole([1], status: 206, fields: ["Content-Range: bytes 0-0/70"]),
      70 as Int?
    ),
    (.whole([1], fields: ["Content-Range: bytes 0-0/70"]), 70),
    (.whole(status: 416), 0), (.whole(status: 404), nil),
    (.whole(Array("<Error><Code>NoSuchKey</Code></Error>".utf8), status: 404), nil),
  ])
  func `the length of an object is what its content has`(
    response: LoopbackResponse,
    length: Int?
  ) async throws {
    let server = try LoopbackServer.always(response)

    #expect(try await store(server).length(of: hash) == length)
    #expect(server.requests.map { $0["Range"] } == ["bytes=0-0"])
  }

  @Test(arguments: [
    (404, "NoSuchBucket", StoreError.Reason.objectsRefused(status: 404)),
    (403, "AccessDenied", .objectsRefused(status: 403)), (200, "", .objectsUnreachable),
  ])
  func `a store that does not say has neither an object nor none`(
    status: Int,
    code: String,
    reason: StoreError.Reason
  ) async throws {
    let text = "<Error><Code>\(code)</Code></Error>"
    let server = try LoopbackServer.always(.whole(Array(text.utf8), status: status))
    let store = try store(server)

    #expect(await error { _ = try await store.length(of: hash) }?.reason == reason)
    let refusal = await error { _ = try await store.owner() }
    #expect(refusal?.reason == (status == 200 ? nil : reason))
  }

  @Test(arguments: [(404, nil), (200, "library a")])
  func `names the library whose objects it has`(status: Int, owner: String?) async throws {
    let server = try LoopbackServer.always(.whole(Array((owner ?? "").utf8), status: status))

    #expect(try await store(server).owner() == owner)
    #expect(server.requests.map(\.method) == ["GET"])
  }

  @Test(arguments: [204, 404])
  func `deletes an object, also one that is not there`(status: Int) async throws {
    let server = try LoopbackServer.always(.whole(status: status))

    try await store(server).delete(hash, .original)

    #expect(server.requests.map(\.method) == ["DELETE"])
  }

  @Test(arguments: [("library a", nil), ("another", StoreError.Reason.otherLibrary)])
  func `is of the library that was first`(note: String, reason: StoreError.Reason?) async throws {
    let server = try LoopbackServer { request in
      request.method == "PUT" ? .whole(status: 412) : .whole(Array(note.utf8))
    }

    #expect(await error { try await store(server).claim(for: "library a") }?.reason == reason)
    #expect(server.requests.allSatisfy { $0.target.hasPrefix("/photos/of-2026/library") })
    #expect(!server.requests.contains { $0.method == "PUT" })
  }

  /// A store of one object, to which another library writes its note before the request with a number.
  private func note(
    honouringConditions isHonouring: Bool,
    writingOtherBefore other: Int? = nil
  ) throws -> (LoopbackServer, Locked<(note: [UInt8]?, asked: Int)>) {
    let state = Locked<(note: [UInt8]?, asked: Int)>((nil, 0))
    let server = try LoopbackServer { request in
      state.withLock { state in
        state.asked += 1
        if state.asked == other, !isHonouring || state.note == nil {
          state.note = Array("another".utf8)
        }
        guard request.method == "PUT" else {
          return state.note.map { .whole($0) } ?? .whole(status: 404)
        }
        if isHonouring, state.note != nil { return .whole(status: 412) }
        state.note = request.body
        return .whole(status: 200)
      }
    }
    return (server, state)
  }

  @Test(arguments: [true, false])
  func `a claim is read back, and its condition tried once`(isHonouring: Bool) async throws {
    let (server, state) = try note(honouringConditions: isHonouring)
    let first = try store(server)

    try await first.claim(for: "library a")
    let asked = state.withLock { $0.asked }
    try await first.claim(for: "library a")
    let error = await error { try await store(server).claim(for: "library b") }

    #expect(asked == (isHonouring ? 4 : 5))
    #expect(error?.reason == .otherLibrary)
    #expect(error?.message == "library a")
    #expect(state.withLock { $0.note } == Array("library a".utf8))
  }

  @Test(arguments: [
    (true, 2, StoreError.Reason.otherLibrary), (false, 3, .otherLibrary),
    (false, 5, .ignoredConditions),
  ])
  func
    `of two libraries that begin at the same time, the one that finds the other's note gives way`(
      isHonouring: Bool,
      request: Int,
      reason: StoreError.Reason
    ) async throws
  {
    let (server, _) = try note(honouringConditions: isHonouring, writingOtherBefore: request)

    let error = await error { try await store(server).claim(for: "library a") }

    #expect(error?.reason == reason)
    #expect(error?.message == "another")
  }

  @Test func `a claim makes the bucket, where the store does so for a first object`() async throws {
    let note = Locked<[UInt8]?>(nil)
    let server = try LoopbackServer { request in
      if request.method == "PUT" { note.withLock { $0 = request.body } }
      let missing = Array("<Error><Code>NoSuchBucket</Code></Error>".utf8)
      return note.withLock { $0 }.map { .whole($0) } ?? .whole(missing, status: 404)
    }
    let objects = try store(server)

    let before = await error { _ = try await objects.owner() }
    try await objects.claim(for: "library a")

    #expect(before?.reason == .objectsRefused(status: 404))
    #expect(try await objects.owner() == "library a")
  }

  @Test func `a note that a store loses is no claim`() async throws {
    let server = try LoopbackServer { request in
      .whole(status: request.method == "PUT" ? 200 : 404)
    }

    let error = await error { try await store(server).claim(for: "library a") }

    #expect(error?.reason == .objectsUnreachable)
  }

  @Test func `a list that is cut and empty is an error`() async throws {
    let answer = "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"
    let server = try LoopbackServer.always(.whole(Array(answer.utf8)))

    let error = await error { _ = try await store(server).objects(.original, behind: nil) }

    #expect(error?.message == "its list of objects is cut and empty")
  }
}

extension LoopbackServer {
  fileprivate static func always(_ response: LoopbackResponse) throws -> LoopbackServer {
    try LoopbackServer { _ in response }
  }
}
