import Foundation
import TestSupport
import Testing

/// `sync --timings`: the test checks the exact counts, but not the times.
struct TimingsTests {
  let site: PhotoSite
  let library: TestLibrary

  init() throws {
    site = try PhotoSite()
    library = try TestLibrary()
  }

  @Test func `counts what a sync did, in a line of its own`() throws {
    let result = try library.program.run("sync", "--timings", "--json", "--originals", site.feed)

    let lines = withoutProgress(result.output).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.contains("\"status\":\"updated\"") == true)
    let timings = try Timings(of: lines.last)
    #expect(timings.phases.count == 12)
    #expect(timings.counts["requests"] == 7)
    #expect(timings.counts["responses"] == 7)
    #expect(timings.counts["unchanged"] == 0)
    #expect(timings.counts["documents"] == 1)
    #expect(timings.counts["images"] == 3)
    #expect(timings.counts["pictures"] == 0)
    #expect(timings.counts["originals"] == 3)
    #expect(timings.counts["originalBytes"] == originalBytes)
    #expect(timings.counts["bytes"] == (try bytes(in: lines.first)))
    #expect(timings.counts["flushes"] == 1)
    #expect(result.status == 0)
  }

  @Test func `counts what has not changed`() throws {
    try library.program.run("sync", site.feed)
    let result = try library.program.run("sync", "--timings", "--json", site.feed)

    let timings = try Timings(of: result.output.split(separator: "\n").last)
    #expect(timings.counts["requests"] == 1)
    #expect(timings.counts["unchanged"] == 1)
    #expect(timings.counts["connections"] == 1)
    #expect(timings.counts["documents"] == 0)
  }

  @Test func `stores nothing in a dry run`() throws {
    let result = try library.program.run("sync", "--timings", "--json", "--dry-run", site.feed)

    let timings = try Timings(of: result.output.split(separator: "\n").last)
    #expect(timings.counts["requests"] == 1)
    #expect(timings.counts["documents"] == 1)
    #expect(timings.counts["originals"] == 0)
  }

  @Test func `is told to people beside the results, and although they want it quiet`() throws {
    let result = try library.program.run("sync", "--timings", "--quiet", site.feed)

    #expect(result.output == "")
    let lines = result.errors.replacing(/\d+\.\d{3} s/, with: "TIME").replacing(/\ +/, with: " ")
      .replacing(/\d+\.\d KiB over/, with: "SIZE over").replacing(/\d+ rows/, with: "N rows")
      .replacing(/\d+ transactions/, with: "N transactions")
      .replacing(/\d connections?/, with: "N connections").split(separator: "\n")
    #expect(
      lines == [
        "where TIME went — what runs at the same time is summed up, so the parts do not add up to it",
        " queueing TIME requests that wait for their turn at a host",
        " looking up TIME names of hosts",
        " connecting TIME N connections opened",
        " securing TIME agreeing on TLS",
        " waiting TIME 4 requests, 4 responses",
        " receiving TIME SIZE over the network",
        " parsing TIME 1 document, 3 images",
        " decoding TIME 0 pictures made smaller",
        " storing TIME N rows written",
        " committing TIME N transactions",
        " flushing TIME 1 time all brought to the disk",
        " filing TIME 0 originals kept, 0 B written",
      ]
    )
  }

  @Test func `is silent when it is not asked for`() throws {
    let result = try library.program.run("sync", "--json", site.feed)

    #expect(!result.output.contains("timings"))
    #expect(result.errors == "")
  }

  private var originalBytes: Int {
    ["/moon.jpg", "/sun.jpg", "/stars.jpg"].compactMap { site.page($0)?.body.count }.reduce(0, +)
  }

  private func bytes(in line: Substring?) throws -> Int? {
    struct Record: Decodable { var bytes: Int }
    return try JSONDecoder().decode(Record.self, from: Data((line ?? "").utf8)).bytes
  }
}

/// The line with the times, as a script reads it.
private struct Timings: Decodable {
  private struct Line: Decodable { var timings: Timings }

  var seconds: Double
  var phases: [String: Double]
  var counts: [String: Int]

  init(of line: Substring?) throws {
    self = try JSONDecoder().decode(Line.self, from: Data((line ?? "").utf8)).timings
  }
}
