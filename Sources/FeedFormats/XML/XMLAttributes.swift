import CXML2

/// The attributes of an element, in libxml2's memory: of use only while the element is opened.
struct XMLAttributes {
  /// Five pointers an attribute: local name, prefix, namespace, begin and end of the value.
  private let pointers: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  private let count: Int

  init(_ pointers: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int) {
    self.pointers = pointers
    self.count = pointers == nil ? 0 : count
  }

  /// The value of the attribute with that local name; nil when there is none or it is empty.
  subscript(_ name: StaticString) -> String? { value(name, prefix: nil) }

  /// The value of the attribute with that local name, given in lower case, in any spelling.
  func value(ignoringCase name: StaticString) -> String? {
    guard let pointers else { return nil }
    for attribute in (0..<count).map({ pointers + 5 * $0 }) {
      guard let local = attribute[0] else { continue }
      if String(cString: local).lowercased() != name.description { continue }
      if let value = Self.value(from: attribute[3], to: attribute[4]) { return value }
    }
    return nil
  }

  /// The value of `xml:base`.
  var base: String? { value("base", prefix: "xml") }

  /// The value as a number of pixels or bytes: its leading digits.
  func number(_ name: StaticString) -> Int? { self[name].flatMap { DeclaredNumber.read($0) } }

  /// Hands over every attribute without its prefix, the value as libxml2 has it: `&` as `&#38;`.
  func visit(
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
  ) {
    guard let pointers else { return }
    for index in 0..<count {
      let attribute = pointers + 5 * index
      guard let name = attribute[0], let start = attribute[3], let end = attribute[4] else {
        continue
      }
      var length = 0
      while name[length] != 0 { length += 1 }
      body(
        UnsafeBufferPointer(start: name, count: length),
        UnsafeBufferPointer(start: start, count: max(0, end - start))
      )
    }
  }

  private func value(_ name: StaticString, prefix: StaticString?) -> String? {
    guard let pointers else { return nil }
    for index in 0..<count {
      let attribute = pointers + 5 * index
      guard Self.text(attribute[0], is: name) else { continue }
      if let prefix, !Self.text(attribute[1], is: prefix) { continue }
      return Self.value(from: attribute[3], to: attribute[4])
    }
    return nil
  }

  private static func text(_ text: UnsafePointer<xmlChar>?, is expected: StaticString) -> Bool {
    guard let text else { return false }
    let (start, length) = (expected.utf8Start, expected.utf8CodeUnitCount)
    var index = 0
    while index < length, text[index] == start[index] { index += 1 }
    return index == length && text[length] == 0
  }

  /// libxml2 leaves `&amp;` in attributes as `&#38;`.
  private static func value(
    from start: UnsafePointer<xmlChar>?,
    to end: UnsafePointer<xmlChar>?
  ) -> String? {
    guard let start, let end, end > start, end - start <= FormatLimits.address
    else { return nil }
    let bytes = Span(_unsafeStart: start, count: end - start)
    let range = bytes.trimmedRange
    return range.isEmpty ? nil : References.decoded(bytes.extracting(range))
  }
}
