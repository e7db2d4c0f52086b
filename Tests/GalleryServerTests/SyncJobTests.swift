import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import gallery_server

/// Syncs that clients have started, one at a time.
@Suite(.timeLimit(.minutes(10)))
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

  @Test func `a sync that has ended makes room for another one`() async throws {
    let bench = try await ServerBench(syncing: nil)
    for _ in 0...Limits.syncsPerToken {
      let answer = try await bench.send("/api/v1/sync", "{}")
      #expect(answer.status == 202)
      _ = try await bench.endOfJob(answer)
    }
  }
}
