/// A buffer of bytes that grows.
///
/// Unlike an array, it does not check for shared storage at each append, because the JSON of a long list consists of
/// a hundred million pieces.
struct ByteBuffer: ~Copyable {
  private var start: UnsafeMutableRawPointer
  /// The number of bytes allocated.
  private var capacity: Int
  private var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 64)
    start = .allocate(byteCount: self.capacity, alignment: 1)
  }

  deinit { start.deallocate() }

  /// A copy of the bytes.
  var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: start, count: count)) }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    makeRoom(1)
    put(byte)
  }

  mutating func append(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Appends a name in quotes and a colon, with a comma before it if needed.
  mutating func append(name: StaticString, needsComma: Bool) {
    makeRoom(name.utf8CodeUnitCount + 4)
    if needsComma { put(UInt8(ascii: ",")) }
    put(UInt8(ascii: "\""))
    put(name.bytes)
    put(UInt8(ascii: "\""))
    put(UInt8(ascii: ":"))
  }

  @inline(__always)
  mutating func append(literal: StaticString) {
    append(literal.bytes)
  }

  mutating func append(text: String) { append(text.utf8Span.span) }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    makeRoom(bytes.count)
    put(bytes)
  }

  /// Stores a byte; the caller must have called `makeRoom`.
  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Stores bytes; the caller must have called `makeRoom`.
  @inline(__always)
  private mutating func put(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    (start + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  @inline(__always)
  private mutating func makeRoom(_ more: Int) {
    if capacity - count < more { grow(more) }
  }

  /// At least doubles the capacity, so that all growth together copies no more bytes than the final capacity.
  @inline(never)
  private mutating func grow(_ more: Int) {
    let larger = max(capacity * 2, count + more)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 1)
    memory.copyMemory(from: start, byteCount: count)
    start.deallocate()
    (start, capacity) = (memory, larger)
  }
}

extension StaticString {
  /// The bytes of a literal with more than one character.
  fileprivate var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}

/// Finds text that needs no escapes in JSON and on a terminal: printable ASCII without quotes and backslashes.
///
/// It checks eight bytes at once, as one number. The sums below set the highest bit of each byte that is not plain. A
/// sum may also set bits of higher bytes, but only if at least one byte is not plain.
enum PlainText {
  /// Each byte is 1.
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  /// The highest bit of each byte.
  private static let highest: UInt64 = 0x8080_8080_8080_8080

  static func isAll(_ text: Span<UInt8>) -> Bool {
    let bytes = text.bytes
    let size = MemoryLayout<UInt64>.size
    guard text.count >= size else { return isAll(short: text) }
    var offset = 0
    while offset < text.count {
      // The last word may overlap the one before.
      let start = min(offset, text.count - size)
      let word = bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
      if !isPlain(word) { return false }
      offset += size
    }
    return true
  }

  private static func isAll(short text: Span<UInt8>) -> Bool {
    // Spaces fill the word, because they are plain.
    var word = ones &* UInt64(UInt8(ascii: " "))
    for index in text.indices { word = word << 8 | UInt64(text[index]) }
    return isPlain(word)
  }

  private static func isPlain(_ word: UInt64) -> Bool {
    let belowSpace = (word &- ones &* 0x20) & ~word
    let aboveTilde = (word &+ ones) | word
    let special =
      belowSpace | aboveTilde | found(UInt8(ascii: "\""), in: word)
      | found(UInt8(ascii: "\\"), in: word)
    return special & highest == 0
  }

  /// Sets the highest bit of each byte that equals `byte`.
  private static func found(_ byte: UInt8, in word: UInt64) -> UInt64 {
    let difference = word ^ (ones &* UInt64(byte))
    return (difference &- ones) & ~difference
  }
}
