import ArgumentParser
import Testing
import Workers

@testable import gallery

struct IntervalArgumentTests {
  @Test(
    arguments: [
      ("1m", 60), ("30m", 1_800), ("6h", 21_600), ("2d", 172_800), ("30d", 2_592_000),
      ("auto", nil),
    ] as [(String, Int?)]
  )
  func `reads a time between two syncs`(text: String, seconds: Int?) {
    #expect(IntervalArgument(text)?.setting == FeedSetting(seconds))
  }

  @Test(arguments: [
    "", "30", "m", "0m", "31d", "-1h", "1.5h", "5s", "1h30m", "Auto", "99999d", "٥m",
  ])
  func `refuses anything else, and names it`(text: String) {
    #expect(IntervalArgument(text) == nil)
    #expect {
      try IntervalArgument.parse(text)
    } throws: { "\($0)".contains("'\(text)' is no time from 1m to 30d") }
  }
}
