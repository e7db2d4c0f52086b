/// Bytes that are appended to, in one piece of memory that grows.
///
/// It does what an array does, but without the work that an array has with each piece, for which
/// everybody who shares it is looked for: a long list comes in a hundred million pieces.
struct ByteBuffer: ~Copyable {
  private var start: UnsafeMutableRawPointer
  /// How many bytes there is memory for; never fewer than `count`.
  private var capacity: Int
  private var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 64)
    start = .allocate(byteCount: self.capacity, alignment: 1)
  }

  deinit { start.deallocate() }

  /// A copy of the bytes so far.
  var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: start, count: count)) }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    makeRoom(1)
    put(byte)
  }

  mutating func append(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// A name in quotes with a colon behind it, and a comma before it where one is needed.
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

  /// Into room that has been made.
  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Into room that has been made.
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

  /// Twice as large at least, so that all growing together costs no more than one copy.
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
  /// What a literal of more than one character has in the program's own memory.
  fileprivate var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}
