import Foundation
import GRDB
import Testing
import Workers

@testable import SQLiteCache

struct HostTests {
  private let temporary: TemporaryLibrary

  init() throws { temporary = try TemporaryLibrary() }

  @Test func `knows no pause without a library, and makes none`() throws {
    #expect(try temporary.library.pause(of: "a") == nil)
    #expect(!FileManager.default.fileExists(atPath: temporary.path))
  }

  @Test func `keeps the pause of a host, for other processes too`() throws {
    let end = later(60)
    try temporary.library.notePause(of: "a:8080", until: end)

    #expect(try temporary.library.pause(of: "a:8080") == end)
    #expect(try SQLiteLibrary(folder: temporary.path).pause(of: "a:8080") == end)
    #expect(try temporary.library.pause(of: "a") == nil)
  }

  @Test func `never shortens a pause`() throws {
    try temporary.library.notePause(of: "a", until: later(60))
    try temporary.library.notePause(of: "a", until: later(30))
    #expect(try temporary.library.pause(of: "a") == later(60))

    try temporary.library.notePause(of: "a", until: later(90))
    #expect(try temporary.library.pause(of: "a") == later(90))
  }

  @Test func `ends a pause no sooner than it was asked to`() throws {
    try temporary.library.notePause(of: "a", until: later(60.25))

    #expect(try temporary.library.pause(of: "a") == later(61))
  }

  @Test func `clears what is over when another is noted`() throws {
    try temporary.library.notePause(of: "old", until: Date(timeIntervalSince1970: 1_000_000_000))
    try temporary.library.notePause(of: "a", until: later(60))

    #expect(try temporary.numbers("SELECT count(*) FROM host") == [1])
  }

  /// A whole second far from the present, so that no run of the test outlasts it.
  private func later(_ seconds: Double) -> Date {
    Date(timeIntervalSince1970: 4_000_000_000 + seconds)
  }
}
