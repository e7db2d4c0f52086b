/// One JSON object on one line (RFC 8259), with its members in the order in which they are added.
///
/// Unknown values are null, so that every object of a kind has the same members. It also escapes C1 and bidirectional
/// controls, which the RFC does not require, so that the line is safe to show on a terminal.
package struct JSONLine: ~Copyable {
  /// The number of bytes to reserve for a line; most lines are shorter.
  private static let usualLength = 384

  private var buffer: ByteBuffer
  private var needsComma = false

  private init(capacity: Int) { buffer = ByteBuffer(capacity: capacity) }

  /// Makes a line for each record.
  package static func lines(_ records: [Record]) -> [UInt8] {
    var line = JSONLine(capacity: usualLength * records.count)
    for record in records {
      line.append(record)
      line.buffer.append(UInt8(ascii: "\n"))
    }
    return line.buffer.bytes
  }

  /// Makes a line for each image, in one buffer.
  package static func lines(_ images: [ImageRecord]) -> [UInt8] {
    var line = JSONLine(capacity: usualLength * images.count)
    let images = images.span
    for index in images.indices {
      line.nest { images[index].write(to: &$0) }
      line.buffer.append(UInt8(ascii: "\n"))
    }
    return line.buffer.bytes
  }

  /// Makes a line for each item, in one buffer.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - write: Writes the members of an item.
  /// - Returns: The lines.
  package static func lines<Item>(
    of items: some Collection<Item>,
    _ write: (Item, inout JSONLine) -> Void
  ) -> [UInt8] {
    var line = JSONLine(capacity: usualLength * items.count)
    for item in items {
      line.nest { write(item, &$0) }
      line.buffer.append(UInt8(ascii: "\n"))
    }
    return line.buffer.bytes
  }

  /// Makes an object with an array of images and the position of the next page.
  package static func page(of images: [ImageRecord], next: String?) -> [UInt8] {
    var line = JSONLine(capacity: usualLength * (images.count + 1))
    line.nest { line in
      line.begin("images")
      line.list(images) { image, line in line.nest { image.writeForAPI(to: &$0) } }
      line.member("next", next)
    }
    line.buffer.append(UInt8(ascii: "\n"))
    return line.buffer.bytes
  }

  private mutating func nest(_ members: (inout JSONLine) -> Void) {
    buffer.append(UInt8(ascii: "{"))
    needsComma = false
    members(&self)
    buffer.append(UInt8(ascii: "}"))
    needsComma = true
  }

  private mutating func begin(_ name: StaticString) {
    buffer.append(name: name, needsComma: needsComma)
    needsComma = true
  }

  // MARK: Records

  private mutating func append(_ record: Record) {
    nest { line in
      for member in record.members {
        if line.needsComma { line.buffer.append(UInt8(ascii: ",")) }
        line.append(member.name)
        line.buffer.append(UInt8(ascii: ":"))
        line.append(member.value)
        line.needsComma = true
      }
    }
  }

  private mutating func append(_ value: Record.Value) {
    switch value {
    case .text(let text): append(text)
    case .integer(let number): append(number)
    case .real(let number): buffer.append(text: number.isFinite ? "\(number)" : "null")
    case .flag(let flag): append(flag)
    case .record(let record): if let record { append(record) } else { appendNull() }
    case .records(let records): append(records)
    case .numbers(let numbers):
      buffer.append(text: "[" + numbers.map { String($0) }.joined(separator: ",") + "]")
    case .array(let values): list(values) { $1.append($0) }
    case .ranges(let ranges):
      let texts = ranges?.map { "[\($0.lowerBound),\($0.upperBound)]" }
      buffer.append(text: texts.map { "[" + $0.joined(separator: ",") + "]" } ?? "null")
    }
  }

  private mutating func append(_ records: [Record]) { list(records) { $1.append($0) } }

  /// Appends an array.
  private mutating func list<Item>(_ items: [Item], _ append: (Item, inout JSONLine) -> Void) {
    buffer.append(UInt8(ascii: "["))
    for (index, item) in items.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      append(item, &self)
    }
    buffer.append(UInt8(ascii: "]"))
  }

  // MARK: Values

  private mutating func append(_ flag: Bool) { buffer.append(literal: flag ? "true" : "false") }

  private mutating func append(_ text: String?) {
    if let text { append(string: text) } else { appendNull() }
  }

  private mutating func append(_ number: (some BinaryInteger)?) {
    if let number { buffer.append(text: number.description) } else { appendNull() }
  }

  private mutating func appendNull() { buffer.append(literal: "null") }

  private mutating func append(string: String) {
    buffer.append(UInt8(ascii: "\""))
    let text = string.utf8Span
    if Self.isPlain(text.span) { buffer.append(text.span) } else { appendEscaping(text) }
    buffer.append(UInt8(ascii: "\""))
  }

  /// Whether text needs no escapes in JSON and on a terminal: printable ASCII without quotes and backslashes.
  static func isPlain(_ text: Span<UInt8>) -> Bool {
    for index in text.indices {
      let byte = text[index]
      guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
      else { return false }
    }
    return true
  }

  /// Appends text with escapes; it copies the text between two escapes at once.
  private mutating func appendEscaping(_ text: borrowing UTF8Span) {
    var scalars = text.makeUnicodeScalarIterator()
    var (copied, start) = (0, 0)
    while let scalar = scalars.next() {
      let end = scalars.currentCodeUnitOffset
      if Self.needsEscape(scalar) {
        buffer.append(text.span.extracting(copied..<start))
        appendEscape(scalar)
        copied = end
      }
      start = end
    }
    buffer.append(text.span.extracting(copied..<start))
  }

  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\"" || scalar == "\\" || HarmlessText.isDangerous(scalar)
  }

  private mutating func appendEscape(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": buffer.append(literal: "\\\"")
    case "\\": buffer.append(literal: "\\\\")
    case "\n": buffer.append(literal: "\\n")
    case "\r": buffer.append(literal: "\\r")
    case "\t": buffer.append(literal: "\\t")
    default: appendCodeUnits(of: scalar)
    }
  }

  /// Appends a scalar as `\uXXXX`, or as a surrogate pair beyond the basic plane (RFC 8259, section 7).
  private mutating func appendCodeUnits(of scalar: Unicode.Scalar) {
    for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
      let digits = String(unit, radix: 16)
      buffer.append(text: "\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }
  }
}

extension JSONLine: ImageMemberWriting {
  package mutating func member(_ name: StaticString, _ value: String?) {
    begin(name)
    append(value)
  }

  package mutating func member(_ name: StaticString, _ value: (some BinaryInteger)?) {
    begin(name)
    append(value)
  }

  package mutating func member(_ name: StaticString, _ value: Bool) {
    begin(name)
    append(value)
  }

  package mutating func member(_ name: StaticString, _ members: (inout JSONLine) -> Void) {
    begin(name)
    nest(members)
  }

  package mutating func member(_ name: StaticString, _ failures: [Record]) {
    begin(name)
    append(failures)
  }

  package mutating func member(_ name: StaticString, _ value: Record.Value) {
    begin(name)
    append(value)
  }
}
