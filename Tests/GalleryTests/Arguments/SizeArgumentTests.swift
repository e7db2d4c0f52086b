import ArgumentParser
import Settings
import Testing

@testable import gallery

struct SizeArgumentTests {
  @Test(arguments: ["20", "1", "1.5", "1048575"])
  func `asks whether a bound of so few bytes was meant`(_ text: String) {
    #expect(throws: ValidationError.self) { try SizeArgument.parseBound(text) }
  }

  @Test(arguments: [
    ("0", 0), ("20B", 20), ("20 b", 20), ("1K", 1_024), ("20G", 20 << 30),
    ("21474836480", 20 << 30),
  ])
  func `takes a bound with a unit, and a large number`(_ text: String, _ bytes: Int) throws {
    #expect(try SizeArgument.parseBound(text).bytes == bytes)
  }

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
