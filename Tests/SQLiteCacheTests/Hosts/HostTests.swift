import Foundation
import Testing
import Workers

@testable import SQLiteCache

@Suite(.onEachStore)
struct HostTests {
  private let temporary: TemporaryStore

  init() throws { temporary = try TemporaryStore() }

  @Test func `knows no pause without a library, and makes none`() throws {
    let none = try TemporaryStore(isNew: true)
    #expect(try none.library.pause(of: "a") == nil)
    #expect(!FileManager.default.fileExists(atPath: none.path))
  }

  @Test func `keeps the pause of a host, for other processes too`() throws {
    let end = later(60)
    try temporary.library.notePause(of: "a:8080", until: end)

    #expect(try isAbout(end, temporary.library.pause(of: "a:8080")))
    #expect(try isAbout(end, temporary.reopened().pause(of: "a:8080")))
    #expect(try temporary.library.pause(of: "a") == nil)
  }

  @Test func `never shortens a pause`() throws {
    try temporary.library.notePause(of: "a", until: later(60))
    try temporary.library.notePause(of: "a", until: later(30))
    #expect(try isAbout(later(60), temporary.library.pause(of: "a")))

    try temporary.library.notePause(of: "a", until: later(90))
    #expect(try isAbout(later(90), temporary.library.pause(of: "a")))
  }

  @Test(.only(.sqlite, "a clock that the test has, too"))
  func `ends a pause no sooner than it was asked to`() throws {
    try temporary.library.notePause(of: "a", until: later(60.25))

    #expect(try temporary.library.pause(of: "a") == later(61))
  }

  @Test func `clears what is over when another is noted`() throws {
    try temporary.library.notePause(of: "old", until: Date(timeIntervalSince1970: 1_000_000_000))
    try temporary.library.notePause(of: "a", until: later(60))

    #expect(try temporary.numbers("SELECT count(*) FROM host") == [1])
  }

  /// Whether a pause ends at a date, as far as the server of a database and this program have the same time.
  private func isAbout(_ date: Date, _ end: Date?) -> Bool {
    end.map { abs($0.timeIntervalSince(date)) < 10 } ?? false
  }

  /// A whole second far from the present, so that no run of the test outlasts it.
  private func later(_ seconds: Double) -> Date {
    Date(timeIntervalSince1970: 4_000_000_000 + seconds)
  }
}
