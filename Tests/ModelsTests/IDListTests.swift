import Models
import Testing

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

  @Test func `has the ids and ranges between the commas`() {
    #expect(IDList("1-3,7,9-9")?.parts == [1...3, 7...7, 9...9])
    #expect(IDList("007")?.parts == [7...7])
  }

  @Test(arguments: [
    "", ",", "-", "1-", "-1", "6-4", "1-2-3", "1,x", "moon", "1.5", "2026-11-02", "1,000", "+1",
    "1-10001", "1-10000,1", "9223372036854775808", "0-9223372036854775807", "1 2",
  ])
  func `is not a long range, a date, or a large number`(word: String) {
    #expect(IDList(word) == nil)
  }

  @Test(arguments: [
    ("4-1", "a range of ids rises: 1-4"), ("1,9-7", "a range of ids rises: 7-9"),
    ("3-", "a range of ids has an end, as in 3-12"),
    (
      "9223372036854775807-",
      "a range of ids has an end, as in 9223372036854775807-9223372036854775807"
    ),
    ("1-20000", "a range has at most 10000 ids"), ("1..3", "a range of ids is written 1-3"),
    ("1\u{2013}3,7", "a range of ids is written 1-3,7"),
    ("4...6", "a range of ids is written 4-6"), ("#2", "an id is written without #: 2"),
    ("#moon", nil), ("a..b", nil), ("3..1", nil), ("..", nil), ("moon", nil), ("2026-11-02", nil),
    ("a-b", nil),
    ("3-b", nil), ("-", nil), ("", nil), ("1-3", nil), ("1,000", nil),
  ])
  func `says what to write in place of a range that is refused`(word: String, mistake: String?) {
    #expect(IDList.mistake(in: word) == mistake)
  }

  @Test func `spreads the feeds of a list, but no file and no title`() {
    let feeds = IDList.spreading(
      [
        "3,4", "5", "6,7", "2024-2025", "1,000", "1,234", "1,2,345", "8,", "a,b", "1-3,700",
        "1-3,b",
      ]
    ) { $0 == "6,7" }
    #expect(
      feeds == [
        "3", "4", "5", "6,7", "2024-2025", "1,000", "1,234", "1", "2", "345", "8", "a,b", "1-3",
        "700", "1-3,b",
      ]
    )
  }
}
