import LibraryFiles
import Testing

struct TitleKeyTests {
  @Test(arguments: [
    ("Moon", "moon"), ("ÉCLAIR", "eclair"), ("Ångström", "angstrom"), ("", ""),
    ("Луна", "луна"), ("月", "月"), ("Łódź", "lodz"), ("Straße", "strasse"),
    ("img2", "img12"), ("img10", "img210"), ("IMG_0012.JPG", "img_212.jpg"), ("000", "10"),
    ("٣", "13"), ("img１０", "img210"), ("1234567890", "911234567890"),
  ])
  func `folds case and accents, and counts the digits of numbers`(title: String, key: String) {
    #expect(TitleKey.of(title) == key)
  }

  @Test(arguments: [
    ["img1", "img2", "img10", "img21", "img100"],
    ["2 moons", "10 moons", "a moon"],
    ["1.2", "1.10", "2.0"],
    ["12345678", "123456789", "1234567890", "12345678901234567890"],
    ["img", "img 9 b", "img 10 a"],
    ["x 7", "x 08", "x 9"],
    ["९", "१०"],
    ["Éclair 2", "eclair 3", "ÉCLAIR 10"],
  ])
  func `orders numbers by value`(titles: [String]) {
    let keys = titles.map(TitleKey.of)

    #expect(keys == keys.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) })
    #expect(Set(keys).count == keys.count)
  }

  @Test func `numbers that differ only in leading zeros are equal`() {
    #expect(TitleKey.of("img007") == TitleKey.of("img7"))
  }

  @Test func `of long numbers, only the first digits count`() {
    let (long, longer) = (
      String(repeating: "9", count: 25), "1" + String(repeating: "0", count: 25)
    )

    #expect(TitleKey.of(longer) < TitleKey.of(long))
  }

  @Test func `puts no title behind every title`() {
    #expect(TitleKey.of("\u{10FFFE}") < TitleKey.of(nil))
  }

  @Test func `cuts long titles`() {
    let title = String(repeating: "é", count: 5000)
    #expect(TitleKey.of(title) == String(repeating: "e", count: 160))
  }
}
