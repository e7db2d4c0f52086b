/// Reads `srcset`: addresses with how wide or how dense their pictures are (HTML, section 4.8.4.2).
enum SourceSet {
  /// How wide a picture of density 1 is taken to be that nothing else is known of.
  static let assumedWidth = 640

  /// The candidates, in order; `width` is how wide the page shows the picture.
  ///
  /// An address may hold commas: only one at its end, or after a descriptor, ends a candidate.
  static func candidates(in text: String, shownAt width: Int?) -> [Candidate] {
    let bytes = text.utf8Span.span
    var candidates: [Candidate] = []
    var index = 0
    while candidates.count < FormatLimits.sourceSet {
      while index < bytes.count, bytes[index] <= 0x20 || bytes[index] == comma { index += 1 }
      guard index < bytes.count else { break }
      let start = index
      while index < bytes.count, bytes[index] > 0x20 { index += 1 }
      var end = index
      while end > start, bytes[end - 1] == comma { end -= 1 }
      var candidate = Candidate(reference: bytes.extracting(start..<end).text)
      let isEnded = end < index
      let descriptor = isEnded ? "" : readDescriptor(in: bytes, from: &index)
      describe(&candidate, by: descriptor, shownAt: width)
      candidates.append(candidate)
    }
    return candidates
  }

  private static let comma = UInt8(ascii: ",")

  private static func readDescriptor(in bytes: Span<UInt8>, from index: inout Int) -> String {
    let start = index
    index = bytes.first(comma, from: index) ?? bytes.count
    let text = bytes.extracting(start..<index)
    return text.extracting(text.trimmedRange).text
  }

  private static func describe(
    _ candidate: inout Candidate,
    by descriptor: String,
    shownAt width: Int?
  ) {
    for part in descriptor.split(separator: " ") {
      switch part.utf8.last {
      case UInt8(ascii: "w"): candidate.width = DeclaredNumber.read(String(part))
      case UInt8(ascii: "h"): candidate.height = DeclaredNumber.read(String(part))
      default: break
      }
    }
    if candidate.width != nil || candidate.height != nil { return }
    setDensity(of: &candidate, to: density(descriptor), shownAt: width)
  }

  /// Tells a candidate's size by how many of its pixels there are to one of the page's.
  static func setDensity(of candidate: inout Candidate, to density: Double, shownAt width: Int?) {
    if let width, width < 100_000 {
      candidate.width = Int(Double(width) * density)
    } else {
      candidate.assumedSide = Int(Double(assumedWidth) * density)
    }
  }

  private static func density(_ descriptor: String) -> Double {
    guard descriptor.utf8.last == UInt8(ascii: "x"), let value = Double(descriptor.dropLast()),
      (0.1...10).contains(value)
    else { return 1 }
    return value
  }
}
