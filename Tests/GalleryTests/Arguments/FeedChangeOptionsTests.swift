import ArgumentParser
import Models
import Settings
import Testing
import Workers

struct FeedChangeOptionsTests {
  @Test(
    arguments: [
      ("1m", 60), ("30m", 1_800), ("6h", 21_600), ("2d", 172_800), ("30d", 2_592_000),
      ("auto", nil),
    ] as [(String, Int?)]
  )
  func `reads a time between two syncs`(text: String, seconds: Int?) throws {
    #expect(try FeedSetting.interval(text) == FeedSetting(seconds))
  }

  @Test(arguments: [
    "", "30", "m", "0m", "31d", "-1h", "1.5h", "5s", "1h30m", "Auto", "99999d", "٥m",
  ])
  func `refuses anything else, and names it`(text: String) {
    #expect {
      try FeedSetting.interval(text)
    } throws: { "\($0)".contains("'\(text)' is not a time from 1m to 30d") }
  }

  @Test func `reads which pictures of an entry are images`() throws {
    let front = try FeedChangeOptions.parse(["--images", "front"])
    let all = try FeedChangeOptions.parse(["--images", "all"])

    #expect(front.change == FeedChange(imageChoice: .given(.front)))
    #expect(all.change == FeedChange(imageChoice: .usual))
    #expect {
      try FeedChangeOptions.parse(["--images", "Front"])
    } throws: { FeedChangeOptions.message(for: $0).contains("'Front' is not a choice of images") }
  }

  @Test func `a title is one line`() throws {
    let options = try FeedChangeOptions.parse(["--title", " The \n Moon ", "--keep", "500"])
    #expect(options.change == FeedChange(title: .given("The Moon"), images: .given(500)))
    #expect(try FeedChangeOptions.parse(["--title", " "]).change == .title(nil))
  }

  @Test(arguments: ["3", "007", " 3 ", "3-5", "2024-2025", "1,2", "1-3,7"])
  func `a title is not what commands read as the ids of feeds`(title: String) {
    #expect {
      try FeedChangeOptions.parse(["--title", title])
    } throws: {
      FeedChangeOptions.message(for: $0).contains("'\(title.trimmed)' cannot be a title, because")
    }
  }

  @Test(arguments: ["Photos 3", "3 moons", "2024/25", "5-3", "1984!", "٣", "1, 2", "3-"])
  func `a title may have numbers`(title: String) throws {
    #expect(try FeedChangeOptions.parse(["--title", title]).change == .title(title))
  }
}
