import FoundationEssentials
import Testing

@testable import Scenes

struct DateTextTests {
  @Test(arguments: [
    (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, "10000-01-01T00:00:00Z"),
    (-62_167_219_200, "0000-01-01T00:00:00Z"), (-62_167_219_201, "-0001-12-31T23:59:59Z"),
    (-377_705_116_800, "-9999-01-01T00:00:00Z"), (-377_705_116_801, "-10000-12-31T23:59:59Z"),
    (951_782_400, "2000-02-29T00:00:00Z"), (-30_641_760_000, "0999-01-01T00:00:00Z"),
  ])
  func `writes years with four digits or as many as they need`(_ seconds: Int, _ text: String) {
    #expect(Wording.timestamp(Date(timeIntervalSince1970: Double(seconds))) == text)
  }

  /// The extreme dates whose whole seconds fit into 64 bits, and dates beyond them.
  @Test(arguments: [9.2e18, -9.2e18, 1e308, -1e308, .infinity, .nan, 0x1p63, -0x1p63])
  func `has a text for any date`(seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)

    #expect(Wording.timestamp(date).hasSuffix("Z"))
    #expect(Wording.mailDate(date).hasSuffix(" GMT"))
    #expect(abs(LocalTime.offset(at: date)) < 2 * 86_400)
  }
}
