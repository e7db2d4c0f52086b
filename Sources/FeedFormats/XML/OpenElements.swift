/// The names of the elements that are open, the innermost last.
struct OpenElements {
  /// The names, one behind the other, and where each begins.
  private var names: [UInt8] = []
  private var starts: [Int] = []
  /// The name of the start or end tag that is being read.
  private(set) var current: [UInt8] = []
  /// Whether the document's root has begun.
  private(set) var hasRoot = false

  /// How many bytes of a name are kept; what is longer is cut.
  private static let longestName = 128
  private var bound = TextBound(longestName)

  /// How many elements are open.
  var count: Int { starts.count }

  /// Adds to the name that is being read.
  mutating func append(_ bytes: Span<UInt8>) {
    for index in 0..<bound.take(bytes) { current.append(Self.plain(bytes[index])) }
  }

  /// Opens the element whose name was read.
  mutating func open() {
    hasRoot = true
    if count <= FormatLimits.depth {
      starts.append(names.count)
      names += current
    }
    forgetCurrent()
  }

  /// Whether an element of that name can be opened as it is: of another one's name only so much is kept,
  /// and an entry may have to wait for the end of the one before.
  func canOpen(_ name: Span<UInt8>) -> Bool {
    guard name.count <= Self.longestName, !Self.isEntry(name) else { return false }
    for index in name.indices where name[index] >= 0x80 { return false }
    return true
  }

  /// A byte of a name as it is written: not all characters beyond ASCII may stand in names, and no format
  /// has names with any.
  static func plain(_ byte: UInt8) -> UInt8 { byte < 0x80 ? byte : UInt8(ascii: "_") }

  /// Opens an element.
  mutating func open(_ name: Span<UInt8>) {
    hasRoot = true
    guard count <= FormatLimits.depth else { return }
    starts.append(names.count)
    name.withUnsafeBufferPointer { names.append(contentsOf: $0) }
  }

  /// Whether the innermost element has that name.
  func isInnermost(_ name: Span<UInt8>) -> Bool {
    guard let start = starts.last, names.count - start == name.count else { return false }
    for index in name.indices where names[start + index] != name[index] { return false }
    return true
  }

  /// Which of the open elements has the name that was read; nil when none has.
  var placeOfCurrent: Int? {
    starts.indices.last { name(at: $0).elementsEqual(current) }
  }

  /// The name of an open element.
  func name(at place: Int) -> ArraySlice<UInt8> {
    names[starts[place]..<(place + 1 < count ? starts[place + 1] : names.count)]
  }

  /// Closes the element that was opened last, if any is open.
  mutating func closeInnermost() {
    guard let start = starts.popLast() else { return }
    names.removeSubrange(start...)
  }

  /// Closes elements until only `depth` are open.
  mutating func close(downTo depth: Int) {
    guard depth < count else { return }
    names.removeLast(names.count - starts[depth])
    starts.removeLast(count - depth)
  }

  /// Forgets the name that was read.
  mutating func forgetCurrent() {
    current.removeAll(keepingCapacity: true)
    bound = TextBound(Self.longestName)
  }

  /// Whether the name that was read is that of an entry.
  var isEntry: Bool { Self.isEntry(current.span) }

  private static func isEntry(_ name: Span<UInt8>) -> Bool {
    guard let last = name.indices.last,
      name[last] == UInt8(ascii: "m") || name[last] == UInt8(ascii: "y")
    else { return false }
    var start = name.count
    while start > 0, name[start - 1] != UInt8(ascii: ":") { start -= 1 }
    let local = name.extracting(start...)
    return local.holds("item") || local.holds("entry")
  }
}

/// How much of a text is kept: so many bytes, and those that complete the last character of them.
///
/// Half a character is no UTF-8, and expat would stop there.
struct TextBound {
  /// How many bytes there is room for; below 0 once something was left out.
  private var room: Int

  /// Takes how many bytes of the text are kept.
  init(_ limit: Int) { room = limit }

  /// How many of the next bytes are kept.
  mutating func take(_ bytes: Span<UInt8>) -> Int {
    guard room >= 0 else { return 0 }
    var kept = min(room, bytes.count)
    room -= kept
    // What continues a character of UTF-8 (RFC 3629, section 3).
    while kept < bytes.count, bytes[kept] & 0xC0 == 0x80 { kept += 1 }
    if kept < bytes.count { room = -1 }
    return kept
  }
}
