import Testing

@testable import Workers

struct MarkupRootTests {
  private static func name(_ text: String) -> String? {
    MarkupRoot(ByteReader(Array(text.utf8)[...]))?.name
  }

  @Test(arguments: [
    "<svg/>", "<svg>", "\u{FEFF} \n<svg width='1'>", "<SVG\t>", "<s:svg xmlns:s=''/>",
    "<?xml version='1.0'?><svg/>", "<!-- <a> --><!----><svg/>", "<!DOCTYPE svg><svg/>",
    "<!DOCTYPE svg [ <!ENTITY a ']b>'> ] ><svg/>",
  ])
  func `finds the root behind what may stand before it`(text: String) {
    #expect(Self.name(text) == "svg")
  }

  @Test func `takes the document type of a page for its root`() {
    #expect(Self.name("<!-- a --><!doctype HTML PUBLIC ''><p>") == "html")
  }

  @Test(arguments: ["", " ", "a<svg/>", "<", "< svg/>", "<!-- <svg/>", "<?xml <svg/>", "<!D [ ]"])
  func `finds none in what is no markup`(text: String) {
    #expect(Self.name(text) == nil)
  }

  @Test func `reads a long prologue once`() {
    #expect(Self.name(String(repeating: "<!a>", count: 100_000) + "<svg/>") == "svg")
  }
}
