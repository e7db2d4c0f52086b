import Testing

@testable import FeedFormats

struct CharacterReferenceTests {
  @Test(
    arguments: [
      ("amp", "&"), ("AMP", "&"), ("eacute", "é"), ("Zcaron", "Ž"), ("equals", "="), ("bsol", "\\"),
      ("NewLine", "\n"), ("hellip", "…"), ("#233", "é"), ("#xE9", "é"), ("#146", "’"),
      ("nothing", nil), ("#", nil), ("#x110000", nil), ("#55296", nil), ("", nil),
    ] as [(String, Unicode.Scalar?)]
  )
  func `knows characters by name and number`(name: String, scalar: Unicode.Scalar?) {
    #expect(CharacterReference.scalar(named: name.utf8Span.span) == scalar)
  }
}
