import Glibc

/// The attributes of an element, in expat's memory: of use only while the element is opened.
struct XMLAttributes {
  /// A name, then its value, and so on.
  private let pointers: UnsafePointer<UnsafePointer<UInt8>?>
  let count: Int

  /// Takes them as expat gives them, with a null pointer behind the last.
  init(_ pointers: UnsafePointer<UnsafePointer<UInt8>?>) {
    self.pointers = pointers
    var count = 0
    while pointers[2 * count] != nil, pointers[2 * count + 1] != nil { count += 1 }
    self.count = count
  }

  /// The value of the attribute with that name, its prefix left aside; nil when there is none or it is
  /// empty.
  subscript(_ name: StaticString) -> String? { value(name) }

  /// The value of the attribute with that name, given in lower case, in any spelling.
  func value(ignoringCase name: StaticString) -> String? {
    for index in 0..<count {
      guard let local = local(at: index), local.count == name.utf8CodeUnitCount,
        Span(_unsafeElements: local).beginsIgnoringCase(with: name, at: 0)
      else { continue }
      if let value = text(at: index) { return value }
    }
    return nil
  }

  /// The value of `xml:base`.
  var base: String? {
    for index in 0..<count where Self.name(name(at: index), is: "xml:base") {
      return text(at: index)
    }
    return nil
  }

  /// The value as a number of pixels or bytes: its leading digits.
  func number(_ name: StaticString) -> Int? { self[name].flatMap { DeclaredNumber.read($0) } }

  /// Hands over every attribute without its prefix.
  func visit(
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
  ) {
    for index in 0..<count {
      if let local = local(at: index) { body(local, value(at: index)) }
    }
  }

  /// The name of an attribute as it is written, ended by a zero.
  func name(at index: Int) -> UnsafePointer<UInt8> {
    // `count` ends before the first null pointer.
    pointers[2 * index].unsafelyUnwrapped
  }

  private func value(_ name: StaticString) -> String? {
    for index in 0..<count where isName(at: index, name) { return text(at: index) }
    return nil
  }

  private func isName(at index: Int, _ expected: StaticString) -> Bool {
    let name = name(at: index)
    return Self.name(name, is: expected)
      || unprefixed(at: index).map { $0 != name && Self.name($0, is: expected) } ?? false
  }

  /// The value of an attribute.
  func value(at index: Int) -> UnsafeBufferPointer<UInt8> {
    let start = pointers[2 * index + 1].unsafelyUnwrapped
    return UnsafeBufferPointer(start: start, count: Self.length(start))
  }

  /// The name behind the prefix; nil for a declaration of a namespace, which is no attribute.
  private func local(at index: Int) -> UnsafeBufferPointer<UInt8>? {
    unprefixed(at: index).map { UnsafeBufferPointer(start: $0, count: Self.length($0)) }
  }

  private func unprefixed(at index: Int) -> UnsafePointer<UInt8>? {
    let name = name(at: index)
    var count = 0
    while name[count] != 0, name[count] != UInt8(ascii: ":") { count += 1 }
    if count == 5, memcmp(name, "xmlns", 5) == 0 { return nil }
    return name[count] == 0 ? name : name + count + 1
  }

  /// A value without the white space around it; nil when nothing is left, or too much.
  private func text(at index: Int) -> String? {
    let value = value(at: index)
    guard value.count <= FormatLimits.address else { return nil }
    let range = Span(_unsafeElements: value).trimmedRange
    return range.isEmpty ? nil : String(decoding: value[range], as: UTF8.self)
  }

  private static func name(_ name: UnsafePointer<UInt8>, is expected: StaticString) -> Bool {
    let start = expected.utf8Start
    var index = 0
    while name[index] != 0, name[index] == start[index] { index += 1 }
    // Both end with a zero.
    return name[index] == start[index]
  }

  private static func length(_ text: UnsafePointer<UInt8>) -> Int {
    strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self))
  }
}
