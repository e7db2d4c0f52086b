import Scenes

/// One JSON object on one line (RFC 8259), with its members in the order in which they are added.
///
/// Unknown values are null, so that every object of a kind has the same members. C1 and bidirectional
/// controls are escaped as well, although the RFC does not require it, so that the line is safe to show
/// on a terminal.
struct JSONLine: ~Copyable {
  /// Bytes for a line; most lines are shorter.
  private static let usualLength = 384

  private var buffer: ByteBuffer
  private var needsComma = false

  private init(capacity: Int) { buffer = ByteBuffer(capacity: capacity) }

  /// Makes a line with its line end.
  static func object(_ members: (inout JSONLine) -> Void) -> [UInt8] {
    objects([()]) { _, line in members(&line) }
  }

  /// Makes a line for each element, in one buffer.
  static func objects<Element>(
    _ elements: [Element],
    _ members: (Element, inout JSONLine) -> Void
  ) -> [UInt8] {
    var line = JSONLine(capacity: usualLength * elements.count)
    let elements = elements.span
    for index in elements.indices {
      line.nest { members(elements[index], &$0) }
      line.buffer.append(UInt8(ascii: "\n"))
    }
    return line.buffer.bytes
  }

  mutating func member(_ name: StaticString, _ value: String?) {
    begin(name)
    if let value { append(string: value) } else { buffer.append(literal: "null") }
  }

  mutating func member(_ name: StaticString, _ value: (some BinaryInteger)?) {
    begin(name)
    if let value { append(number: value) } else { buffer.append(literal: "null") }
  }

  mutating func member(_ name: StaticString, _ value: Double) {
    begin(name)
    buffer.append(text: value.isFinite ? "\(value)" : "null")
  }

  mutating func member(_ name: StaticString, _ value: Bool) {
    begin(name)
    buffer.append(literal: value ? "true" : "false")
  }

  mutating func member(_ name: StaticString, _ members: (inout JSONLine) -> Void) {
    begin(name)
    nest(members)
  }

  /// Adds an object, or null.
  mutating func member<Element>(
    _ name: StaticString,
    _ element: Element?,
    _ members: (Element, inout JSONLine) -> Void
  ) {
    begin(name)
    if let element { nest { members(element, &$0) } } else { buffer.append(literal: "null") }
  }

  /// Adds each range as an array of its first and last number.
  mutating func member(_ name: StaticString, ranges: [ClosedRange<Int64>]?) {
    begin(name)
    let texts = ranges?.map { "[\($0.lowerBound),\($0.upperBound)]" }
    buffer.append(text: texts.map { "[" + $0.joined(separator: ",") + "]" } ?? "null")
  }

  mutating func member(_ name: StaticString, numbers: [some BinaryInteger]) {
    begin(name)
    buffer.append(text: "[" + numbers.map { String($0) }.joined(separator: ",") + "]")
  }

  mutating func member<Element>(
    _ name: StaticString,
    objects elements: [Element],
    _ members: (Element, inout JSONLine) -> Void
  ) {
    begin(name)
    buffer.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      nest { members(element, &$0) }
    }
    buffer.append(UInt8(ascii: "]"))
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

  private mutating func append(number: some BinaryInteger) {
    buffer.append(text: number.description)
  }

  private mutating func append(string: String) {
    buffer.append(UInt8(ascii: "\""))
    let text = string.utf8Span
    if PlainText.isAll(text.span) { buffer.append(text.span) } else { appendEscaping(text) }
    buffer.append(UInt8(ascii: "\""))
  }

  /// Appends text, copying everything between two escapes at once.
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

  /// Appends a scalar by its number, beyond the basic plane as a surrogate pair (RFC 8259, section 7).
  private mutating func appendCodeUnits(of scalar: Unicode.Scalar) {
    for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
      let digits = String(unit, radix: 16)
      buffer.append(text: "\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }
  }
}

extension JSONLine {
  static func line(_ record: SyncTimingsRecord) -> [UInt8] {
    object { line in
      line.member("timings") { timings in
        timings.member("seconds", record.seconds)
        timings.member("phases") { $0.members(record.phases) }
        timings.member("counts") { $0.members(record.counts) }
      }
    }
  }

  private mutating func members(_ phases: SyncTimingsRecord.Phases) {
    member("queueing", phases.queueing)
    member("lookingUp", phases.lookingUp)
    member("connecting", phases.connecting)
    member("securing", phases.securing)
    member("waiting", phases.waiting)
    member("receiving", phases.receiving)
    member("parsing", phases.parsing)
    member("decoding", phases.decoding)
    member("storing", phases.storing)
    member("committing", phases.committing)
    member("flushing", phases.flushing)
    member("filing", phases.filing)
  }

  private mutating func members(_ counts: SyncTimingsRecord.Counts) {
    member("requests", counts.requests)
    member("responses", counts.responses)
    member("unchanged", counts.unchanged)
    member("connections", counts.connections)
    member("bytes", counts.bytes)
    member("documents", counts.documents)
    member("images", counts.images)
    member("pictures", counts.pictures)
    member("transactions", counts.transactions)
    member("rows", counts.rows)
    member("flushes", counts.flushes)
    member("originals", counts.originals)
    member("originalBytes", counts.originalBytes)
  }
}
