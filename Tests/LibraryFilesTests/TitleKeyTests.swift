import LibraryFiles
import Testing

struct TitleKeyTests {
  @Test(arguments: [
    ("Moon", "moon"), ("ÉCLAIR", "eclair"), ("Ångström", "angstrom"), ("", ""),
    ("Луна", "луна"), ("月", "月"),
  ])
  func `folds case and accents`(title: String, key: String) {
    #expect(TitleKey.of(title) == key)
  }

  @Test func `puts no title behind every title`() {
    #expect(TitleKey.of("\u{10FFFE}") < TitleKey.of(nil))
  }

  @Test func `cuts long titles`() {
    let title = String(repeating: "é", count: 5000)
    #expect(TitleKey.of(title) == String(repeating: "e", count: 160))
  }
}
