/// The names of the open elements, the innermost last.
struct OpenElements {
  /// The most bytes of a name to keep; a longer one is cut.
  static let longestName = 128

  /// The names, one after another, and the offset of each.
  private var names: [UInt8] = []
  private var starts: [Int] = []
  /// Whether the document's root has begun.
  private(set) var hasRoot = false

  /// The number of open elements.
  var count: Int { starts.count }

  /// Opens an element, up to the nesting limit; beyond it, the reader fails anyway.
  mutating func open(_ spelling: Span<UInt8>) {
    hasRoot = true
    guard count <= FormatLimits.depth else { return }
    starts.append(names.count)
    Self.write(spelling, limit: Self.longestName, into: &names)
  }

  /// The name of an open element.
  func name(at index: Int) -> ArraySlice<UInt8> {
    names[starts[index]..<(index + 1 < count ? starts[index + 1] : names.count)]
  }

  /// The index of the innermost open element with a name; nil when there is no such element.
  func index(of spelling: Span<UInt8>) -> Int? {
    var index = count - 1
    while index >= 0, !isNamed(index, spelling) { index -= 1 }
    return index >= 0 ? index : nil
  }

  private func isNamed(_ index: Int, _ spelling: Span<UInt8>) -> Bool {
    let name = name(at: index)
    guard name.count == min(spelling.count, Self.longestName) else { return false }
    for offset in 0..<name.count
    where name[name.startIndex + offset] != Self.plain(spelling[offset]) {
      return false
    }
    return true
  }

  /// Closes elements until only `depth` are open.
  mutating func close(downTo depth: Int) {
    guard depth >= 0, depth < count else { return }
    names.removeLast(names.count - starts[depth])
    starts.removeLast(count - depth)
  }

  private static func plain(_ byte: UInt8) -> UInt8 { byte < 0x80 ? byte : UInt8(ascii: "_") }

  /// Writes a name in ASCII: some other characters are not allowed in names, and no format has names with any.
  static func write(_ spelling: Span<UInt8>, limit: Int, into output: inout [UInt8]) {
    let start = output.count
    output.append(spelling.extracting(first: limit))
    for index in start..<output.count where output[index] >= 0x80 {
      output[index] = plain(output[index])
    }
  }

  /// Whether a name is that of an entry.
  static func isEntry(_ name: Span<UInt8>) -> Bool {
    guard let last = name.indices.last,
      name[last] == UInt8(ascii: "m") || name[last] == UInt8(ascii: "y")
    else { return false }
    let local = name.extracting(((name.lastIndex(of: UInt8(ascii: ":")) ?? -1) + 1)...)
    return local.holds("item") || local.holds("entry")
  }
}

/// The characters of names, and the search for their end.
extension MarkupMender {
  static func endOfName(in bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count, standsInName(bytes[index]) { index += 1 }
    return index
  }

  static func beginsName(_ byte: UInt8) -> Bool {
    byte.isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") || byte >= 0x80
  }

  static func standsInName(_ byte: UInt8) -> Bool {
    beginsName(byte) || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}
