import Testing

@testable import gallery

struct IDListTests {
  @Test(
    arguments: [
      ("7", [7]), ("1,2,3", [1, 2, 3]), ("4-6", [4, 5, 6]), ("1-3,7,9-9", [1, 2, 3, 7, 9]),
      ("3,1", [3, 1]), ("1,", [1]), ("0", [0]), ("007", [7]), ("9223372036854775807", [.max]),
      ("9223372036854775806-9223372036854775807", [.max - 1, .max]),
    ] as [(String, [Int64])]
  )
  func `has the ids of one word`(word: String, ids: [Int64]) {
    #expect(IDList(word)?.ids == ids)
  }

  @Test(arguments: [
    "", ",", "-", "1-", "-1", "6-4", "1-2-3", "1,x", "moon", "1.5", "2026-11-02", "1,000", "+1",
    "1-10001", "1-10000,1", "9223372036854775808", "0-9223372036854775807", "1 2",
  ])
  func `is not a long range, a date, or a large number`(word: String) {
    #expect(IDList(word) == nil)
  }

  @Test func `spreads the feeds of a list, but no file and no title`() {
    let feeds = IDList.spreading(
      ["3,4", "5", "6,7", "2024-2025", "1,000", "1,234", "1,2,345", "8,", "a,b"]
    ) { $0 == "6,7" }
    #expect(
      feeds == [
        "3", "4", "5", "6,7", "2024-2025", "1,000", "1,234", "1", "2", "345", "8", "a,b",
      ]
    )
  }
}
