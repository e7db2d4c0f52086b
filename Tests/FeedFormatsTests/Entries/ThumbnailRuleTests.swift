import Testing

@testable import FeedFormats

struct ThumbnailRuleTests {
  @Test(
    arguments: [
      ([], nil),
      (["75x75"], "75x75"),
      (["75x75", "240x180", "1024x768"], "240x180"),
      (["1024x768", "240x180", "75x75"], "240x180"),
      (["200x10000", "199x300"], "199x300"),
      (["75x75", "100x80", "60x150"], "60x150"),
      (["120x90", "unknown"], "120x90"),
      (["unknown", "other"], "unknown"),
      (["31x200"], nil),
      (["16x16", "120x90"], "120x90"),
      (["240x180", "240x180 again"], "240x180"),
    ] as [([String], String?)]
  )
  func `chooses the smallest that is large enough, else the largest`(
    sizes: [String],
    choice: String?
  ) {
    #expect(ThumbnailRule.choose(from: sizes.map(candidate))?.reference == choice)
  }

  @Test func `goes by the size an address asks for`() {
    let addresses = ["https://a.b/c?w=100", "https://a.b/c?w=400&q=80", "https://a.b/c?width=1080"]

    let choice = ThumbnailRule.choose(from: addresses.map { Candidate(reference: $0) })

    #expect(choice?.reference == "https://a.b/c?w=400&q=80")
  }

  private func candidate(_ size: String) -> Candidate {
    let numbers = size.prefix { $0 != " " }.split(separator: "x").map { Int($0) }
    var candidate = Candidate(reference: size)
    if numbers.count == 2 { (candidate.width, candidate.height) = (numbers[0], numbers[1]) }
    return candidate
  }
}
