import Testing

@testable import Models

struct AddressPartsTests {
  /// What stands between bars: scheme, authority, path, query, fragment; `-` where there is none.
  @Test(arguments: [
    ("https://a.b:1/c/d?e=f#g", "https|a.b:1|/c/d|e=f|g"),
    ("https://a.b", "https|a.b||-|-"),
    ("https://a?b/c#d?e/", "https|a||b/c|d?e/"),
    ("https://a#b?c/d", "https|a||-|b?c/d"),
    ("//a/b", "-|a|/b|-|-"),
    ("///b", "-||/b|-|-"),
    ("/a//b", "-|-|/a//b|-|-"),
    ("a/b:c", "-|-|a/b:c|-|-"),
    ("a:b:c", "a|-|b:c|-|-"),
    ("?a:b", "-|-||a:b|-"),
    ("#a", "-|-||-|a"),
    ("a?#", "-|-|a||"),
    ("?", "-|-|||-"),
    ("", "-|-||-|-"),
    ("/", "-|-|/|-|-"),
    ("http:/a", "http|-|/a|-|-"),
    ("1a:b", "-|-|1a:b|-|-"),
  ])
  func `tells components apart, and puts them together as they were`(text: String, expected: String)
  {
    let parts = AddressParts(text)

    let told = [parts.scheme, parts.authority, parts.path, parts.query, parts.fragment]
    #expect(told.map { $0 ?? "-" }.joined(separator: "|") == expected)
    #expect(parts.text == text)
  }
}
