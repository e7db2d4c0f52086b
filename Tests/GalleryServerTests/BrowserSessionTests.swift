import Foundation
import HTTPTypes
import Hummingbird
import TestSupport
import Testing

@testable import gallery_server

struct BrowserSessionTests {
  private let sessions = BrowserSessions(serverToken: "one")
  private let start = Date(timeIntervalSince1970: 1_800_000_000)
  private let hash = String(repeating: "a", count: 64)

  /// A new session, as a browser sends it: its name and its value.
  private func session(of sessions: BrowserSessions) throws -> (name: Substring, value: String) {
    let cookie = try #require(
      sessions.cookie(forTokenWithHash: hash, path: "/", isSecure: false, now: start)
    )
    let parts = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
    return (parts[0], String(parts[1]))
  }

  @Test(arguments: [(0, false), (14, false), (16, true), (29, true)])
  func `a session is open for thirty days, and is renewed after half of them`(
    days: Int,
    isOld: Bool
  ) throws {
    let value = try session(of: sessions).value
    let now = start + Double(days) * 86_400

    #expect(sessions.open(value, now: now) == .init(tokenHash: hash, isOld: isOld))
    #expect(sessions.open(value, now: start + 30 * 86_400) == nil)
  }

  @Test func `a session opens no other library, and other libraries have other cookies`() throws {
    let other = BrowserSessions(serverToken: "two")

    #expect(other.open(try session(of: sessions).value, now: start) == nil)
    #expect(try session(of: other).name != session(of: sessions).name)
    #expect(try session(of: other).name.wholeMatch(of: /gallery-[0-9a-f]{8}/) != nil)
  }

  @Test func `a session cannot be changed`() throws {
    let value = try session(of: sessions).value
    let parts = value.split(separator: ".").map(String.init)
    let later = String((try #require(Int(parts[0]))) + 1)
    let token = String(repeating: "b", count: 64)

    for wrong in [
      "\(later).\(parts[1]).\(parts[2])", "\(parts[0]).\(token).\(parts[2])",
      "\(parts[0]).\(parts[1]).\(token)", "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])",
      "", "..", "\(value).",
    ] {
      #expect(sessions.open(wrong, now: start) == nil, "\(wrong)")
    }
  }
}
