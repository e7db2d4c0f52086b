/// How much of a text is UTF-8 beyond ASCII.
struct UTF8Tally {
  /// The characters of more than one byte.
  private(set) var characters = 0
  /// The bytes that belong to none.
  private(set) var faults = 0

  /// Counts; a character whose rest lies beyond the end is neither.
  init(_ sample: [UInt8]) {
    let bytes = sample.span
    var index = 0
    while index < bytes.count {
      guard bytes[index] >= 0x80 else {
        index += 1
        continue
      }
      switch UTF8Form.unit(in: bytes, at: index) {
      case .character(let length):
        characters += 1
        index += length
      case .broken, .stray:
        faults += 1
        index += 1
      case .incomplete: index = bytes.count
      }
    }
  }
}
