import Models
import Testing

struct EscapingTests {
  @Test func `escapes a sign, also when a combining mark follows`() {
    #expect("a'b".escaping("'", as: "''") == "a''b")
    #expect(
      "'\u{E34}'".escaping("'", as: "''").unicodeScalars.elementsEqual("''\u{E34}''".unicodeScalars)
    )
    #expect("<\u{338}b".escaping("<", as: "&lt;") == "&lt;\u{338}b")
    #expect("a\0\u{301}".escaping("\0", as: "") == "a\u{301}")
    #expect("".escaping("'", as: "''") == "")
  }
}
