import Glibc
import Testing
import Workers

@testable import Terminal

struct TerminalWindowTests {
  private func window(of size: winsize) throws -> TerminalWindow? {
    var (leader, follower): (Int32, Int32) = (-1, -1)
    var size = size
    try #require(openpty(&leader, &follower, nil, nil, &size) == 0)
    defer {
      close(leader)
      close(follower)
    }
    return TerminalWindow(descriptor: follower)
  }

  @Test func `knows the size of a terminal`() throws {
    let size = winsize(ws_row: 24, ws_col: 100, ws_xpixel: 900, ws_ypixel: 456)

    let pixels = PixelSize(width: 900, height: 456)
    #expect(
      try window(of: size) == TerminalWindow(columns: 100, rows: 24, pixels: pixels)
    )
  }

  @Test func `uses a part of a window that is too large for a screen`() throws {
    let endless = winsize(ws_row: .max, ws_col: .max, ws_xpixel: .max, ws_ypixel: .max)
    let wide = winsize(ws_row: 100, ws_col: 2_000, ws_xpixel: 16_000, ws_ypixel: 1_600)
    let coarse = winsize(ws_row: 100, ws_col: 100, ws_xpixel: 50_000, ws_ypixel: 50_000)

    #expect(
      try window(of: endless)
        == TerminalWindow(
          columns: 1_000,
          rows: 300,
          pixels: PixelSize(width: 1_000, height: 300)
        )
    )
    #expect(
      try window(of: wide)
        == TerminalWindow(
          columns: 1_000,
          rows: 100,
          pixels: PixelSize(width: 8_000, height: 1_600)
        )
    )
    #expect(try window(of: coarse) == TerminalWindow(columns: 100, rows: 100))
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
