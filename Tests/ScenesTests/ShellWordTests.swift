import Testing

@testable import Scenes

struct ShellWordTests {
  @Test(arguments: [
    ("https://example.org/feed.xml", "https://example.org/feed.xml"), ("", "''"),
    ("two words", "'two words'"), ("it's", #"'it'\''s'"#), ("$(touch x)", "'$(touch x)'"),
    // A quotation mark with a combining mark behind it still ends a word of the shell.
    ("'\u{301};touch x", "''\\''\u{301};touch x'"),
    // In quotation marks, fish joins a backslash to the mark behind it.
    (#"a\b"#, #"'a'\\'b'"#), (#"a\"#, #"'a'\\''"#), (#"\';touch x"#, #"''\\''\'';touch x'"#),
    ("=ls", "'=ls'"), ("%self", "'%self'"), ("a=b%20", "a=b%20"), ("a\n!b ~", "'a\n!b ~'"),
  ])
  func `quotes what a shell would not read as it is`(_ word: String, _ quoted: String) {
    #expect(ShellWord.quoted(word).unicodeScalars.elementsEqual(quoted.unicodeScalars))
  }
}
