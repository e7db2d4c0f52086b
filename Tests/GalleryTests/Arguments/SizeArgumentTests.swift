import ArgumentParser
import Settings
import Testing

@testable import gallery

struct SizeArgumentTests {
  @Test(arguments: [
    ("0", 0), ("4096", 4_096), ("500M", 500 << 20), ("2G", 2 << 30), ("1.5G", 3 << 29),
    ("10k", 10 << 10), ("1t", 1 << 40), ("31.5 KB", 32_256), ("2gib", 2 << 30), ("12 B", 12),
  ])
  func `reads a size`(text: String, bytes: Int) {
    #expect(SizeArgument(text)?.bytes == bytes)
  }

  @Test(arguments: [
    "", "M", "-1", "5X", "5MM", "1.2.3", ".5", "5.", "1e3", "0x10", "5 M B", "٥", "99999999T",
  ])
  func `knows what is none, and names it`(text: String) {
    #expect(SizeArgument(text) == nil)
    #expect {
      try SizeArgument.parse(text)
    } throws: { "\($0)".contains("'\(text)' is not a size") }
  }
}
