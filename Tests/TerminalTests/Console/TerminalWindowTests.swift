import Glibc
import Testing
import Workers

@testable import Terminal

struct TerminalWindowTests {
  @Test func `knows the size of a terminal`() throws {
    var (leader, follower): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: 100, ws_xpixel: 900, ws_ypixel: 456)
    try #require(openpty(&leader, &follower, nil, nil, &size) == 0)
    defer {
      close(leader)
      close(follower)
    }

    let window = try #require(TerminalWindow(descriptor: follower))
    let pixels = PixelSize(width: 900, height: 456)
    #expect(window == TerminalWindow(columns: 100, rows: 24, pixels: pixels))
  }

  @Test func `takes a terminal that does not know its size for a usual one`() throws {
    var (leader, follower): (Int32, Int32) = (-1, -1)
    try #require(openpty(&leader, &follower, nil, nil, nil) == 0)
    defer {
      close(leader)
      close(follower)
    }

    let window = try #require(TerminalWindow(descriptor: follower))
    #expect(window == TerminalWindow(columns: 80, rows: 24))
  }

  @Test func `is none through a pipe`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer {
      close(ends[0])
      close(ends[1])
    }

    #expect(TerminalWindow(descriptor: ends[1]) == nil)
  }
}
