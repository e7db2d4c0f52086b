import Foundation
import HTTPTypes
import Models
import TestSupport
import Testing

@testable import gallery_server

/// Syncs that clients have started: those of a feed one after another, others at once.
@Suite(.timeLimit(.minutes(60)))
struct SyncJobTests {
  private let gate = Gate()

  /// A server with as many syncs of its administrator as a token may have; the first one runs until the gate opens.
  private func busyBench() async throws -> (ServerBench, LoopbackServer, jobs: [String]) {
    let bench = try await ServerBench(syncing: nil)
    let feed = try LoopbackServer { [gate] _ in .whole(status: 404).held(by: gate) }
    let body = #"{"url":"http://127.0.0.1:\#(feed.port)/feed","allowPrivate":true}"#
    var jobs: [String] = []
    for _ in 0..<Limits.syncsPerToken {
      let answer = try await bench.send("/api/v1/feeds", body)
      #expect(answer.status == 202)
      jobs.append(try #require(answer.json["job"] as? String))
    }
    await feed.arrivals.reaches(1)
    return (bench, feed, jobs)
  }

  @Test func `a token has few syncs at once, and may try again later`() async throws {
    let (bench, feed, _) = try await busyBench()
    defer { withExtendedLifetime(feed) {} }

    let refused = try await bench.send("/api/v1/sync", "{}")
    #expect(refused.status == 429)
    #expect(refused.fields[.retryAfter] == "\(Limits.syncRetrySeconds)")
    #expect(await bench.server.jobs.counts.running == Limits.syncsPerToken)

    let other = try bench.tokens.add(
      Access(name: "other", isAdmin: true),
      created: Date(),
      expires: nil
    )
    let answer = try await bench.ask(
      "/api/v1/sync",
      .post,
      [.authorization: "Bearer \(other)", .contentType: "application/json"],
      body: "{}"
    )
    #expect(answer.status == 202)

    gate.open()
    await bench.server.jobs.close()
  }

  @Test func `a server that ends runs none of the syncs that wait`() async throws {
    let (bench, feed, jobs) = try await busyBench()

    let closing = Task { await bench.server.jobs.close() }
    while try await bench.send("/api/v1/sync", "{}").status != 503 { await Task.yield() }
    gate.open()
    await closing.value

    for job in jobs.dropFirst() {
      #expect(try await bench.ask(job).json["state"] as? String == "failed")
    }
    #expect(feed.requests.count == 1)
  }

  @Test func `a feed whose server hangs holds up no other feed`() async throws {
    let (bench, hanging, jobs) = try await busyBench()
    let other = try LoopbackServer { _ in .whole(status: 404) }
    defer { withExtendedLifetime((hanging, other)) {} }
    let token = try bench.tokens.add(
      Access(name: "b", isAdmin: true),
      created: Date(),
      expires: nil
    )

    let answer = try await bench.ask(
      "/api/v1/feeds",
      .post,
      [.authorization: "Bearer \(token)", .contentType: "application/json"],
      body: #"{"url":"http://127.0.0.1:\#(other.port)/feed","allowPrivate":true}"#
    )
    let job = try await bench.endOfJob(answer)

    #expect(job["state"] as? String == "failed")
    #expect(other.requests.count >= 1)
    // Until the gate opens, the first server answers nothing; on a busy machine its sync has failed by now.
    let first = try await bench.ask(jobs[0]).json["state"] as? String
    #expect(first == "running" || first == "failed")
    gate.open()
    await bench.server.jobs.close()
  }

  @Test func `a sync that waits or runs is listed, and can be stopped`() async throws {
    let (bench, feed, jobs) = try await busyBench()
    defer { withExtendedLifetime(feed) {} }
    let listed = { try await bench.ask("/api/v1/jobs").json["jobs"] as? [[String: Any]] ?? [] }
    #expect(
      try await listed().map { $0["state"] as? String } == ["running"]
        + jobs.dropFirst().map { _ in "waiting" }
    )

    #expect(try await bench.ask(jobs[3], .delete).status == 204)
    let stopped = try await bench.ask(jobs[3]).json
    #expect(stopped["state"] as? String == "failed")
    #expect(stopped["text"] as? String == "stopped before it began")
    #expect(try await listed().count == jobs.count - 1)

    // What runs stops at once, although its server does not answer.
    #expect(try await bench.ask(jobs[0], .delete).status == 204)
    while try await ["waiting", "running"].contains(bench.ask(jobs[0]).json["state"] as? String) {
      await Task.yield()
    }
    #expect(try await bench.ask(jobs[0]).json["state"] as? String == "failed")
    gate.open()
    await bench.server.jobs.close()

    let reader = try bench.tokens.add(
      Access(name: "tv", isAdmin: false),
      created: Date(),
      expires: nil
    )
    let fields: HTTPFields = [.authorization: "Bearer \(reader)"]
    #expect(try await bench.ask(jobs[0], .delete, fields).status == 403)
    #expect(try await bench.ask("/api/v1/jobs/99", .delete).status == 404)
  }

  @Test func `a sync that has ended makes room for another one`() async throws {
    let bench = try await ServerBench(syncing: nil)
    for _ in 0...Limits.syncsPerToken {
      let answer = try await bench.send("/api/v1/sync", "{}")
      #expect(answer.status == 202)
      _ = try await bench.endOfJob(answer)
    }
  }

  @Test func `a sync whose library cannot be used names no file of it`() async throws {
    let bench = try await ServerBench(syncing: nil)
    let library = "\(bench.folder)/library"
    try FileManager.default.createDirectory(atPath: library, withIntermediateDirectories: true)
    try Data("this is another program's file".utf8)
      .write(to: URL(filePath: "\(library)/gallery.sqlite"))

    let job = try await bench.endOfJob(try await bench.send("/api/v1/sync", "{}"))

    #expect(job["state"] as? String == "failed")
    let told = "the library failed: the server's log has the reason"
    #expect(job["text"] as? String == told)
    #expect(job["problems"] as? [String] == [told])
    let reader = try bench.token(LibraryPart())
    for path in ["/api/v1/jobs/1", "/api/v1/feeds", "/feeds", "/api/v1/images", "/images/1"] {
      let answer = try await bench.ask(path, .get, reader)
      #expect(!answer.text.contains(bench.folder), "\(path)")
    }
  }
}
