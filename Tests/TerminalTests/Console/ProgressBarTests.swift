import Testing

@testable import Terminal

struct ProgressBarTests {
  @Test(arguments: [
    (0, "[....................] 5 of 9"), (0.049, "[....................] 5 of 9"),
    (0.05, "[#...................] 5 of 9"), (0.555, "[###########.........] 5 of 9"),
    (1, "[####################] 5 of 9"), (1.5, "[####################] 5 of 9"),
    (-1, "[....................] 5 of 9"),
  ])
  func `fills with what is done`(_ fraction: Double, _ line: String) {
    #expect(ProgressBar.line(.init(fraction: fraction, text: "5 of 9"), columns: 80) == line)
  }

  @Test func `is left out while the whole is unknown`() {
    #expect(ProgressBar.line(.init(fraction: nil, text: "64.0 KB"), columns: 80) == "64.0 KB")
  }

  @Test(arguments: [
    (80, "[##########..........] 5 of 9"), (40, "[#####.....] 5 of 9"), (17, "[##..] 5 of 9"),
    (12, "[#..] 5 of…"), (4, "[.…"),
  ])
  func `is short in a narrow window, whose last column stays free, so that it never wraps`(
    _ columns: Int,
    _ line: String
  ) {
    #expect(ProgressBar.line(.init(fraction: 0.5, text: "5 of 9"), columns: columns) == line)
  }
}
