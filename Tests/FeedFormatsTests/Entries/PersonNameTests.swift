import Testing

@testable import FeedFormats

struct PersonNameTests {
  @Test(arguments: [
    ("jo@example.com (Jo Doe)", "Jo Doe"), ("jo@example.com ( Jo Doe )", "Jo Doe"),
    ("jo@example.com (\"Jo Doe\")", "Jo Doe"), ("jo@example.com ( \" Jo Doe \" )", "Jo Doe"),
    ("jo@example.com (\"Jo\" Doe)", "Jo"),
  ])
  func `is what stands in parentheses behind a mail address`(text: String, name: String) {
    #expect(PersonName.inMailAddress(text) == name)
  }

  @Test(arguments: [
    "Jo Doe", "Jo Doe (photographer)", "jo@example.com", "jo@example.com ()",
    "jo@example.com ( )", "jo@example.com (\" \")",
  ])
  func `is the text where there is none`(text: String) {
    #expect(PersonName.inMailAddress(text) == text)
  }
}
