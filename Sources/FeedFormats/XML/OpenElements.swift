/// The names of the elements that are open, the innermost last.
struct OpenElements {
  private var names: [[UInt8]] = []
  /// The name of the start or end tag that is being read.
  private(set) var current: [UInt8] = []
  /// Whether the document's root has begun.
  private(set) var hasRoot = false

  /// How many bytes of a name are kept; what is longer is cut.
  private static let longestName = 128

  /// Adds a byte to the name that is being read.
  mutating func append(_ byte: UInt8) {
    if current.count < Self.longestName { current.append(byte) }
  }

  /// Opens the element whose name was read.
  mutating func open() {
    hasRoot = true
    if names.count <= FormatLimits.depth { names.append(current) }
    current.removeAll(keepingCapacity: true)
  }

  /// Closes the innermost element.
  mutating func closeLast() { _ = names.popLast() }

  /// Closes the element whose name was read; the elements in it that have no end tags, or nil when
  /// no such element is open.
  mutating func close() -> ArraySlice<[UInt8]>? {
    defer { current.removeAll(keepingCapacity: true) }
    guard let place = names.lastIndex(of: current) else { return nil }
    let missing = names[(place + 1)...]
    names.removeSubrange(place...)
    return missing
  }

  /// Closes what has to be closed before the element whose name was read can open: an entry within
  /// an entry has only lost the end tag of the first.
  mutating func closeBeforeEntry() -> ArraySlice<[UInt8]> {
    guard Self.isEntry(current), let place = names.lastIndex(of: current) else { return [] }
    let missing = names[place...]
    names.removeSubrange(place...)
    return missing
  }

  private static func isEntry(_ name: [UInt8]) -> Bool {
    let local = name.span.extracting((name.lastIndex(of: UInt8(ascii: ":")) ?? -1) + 1..<name.count)
    return local.holds("item") || local.holds("entry")
  }
}
