import Workers

@testable import FeedFormats

/// Unpacks documents, at once and in pieces.
struct GzipTarget: FuzzTarget {
  let name = "gzip"
  let dictionary = "encoding"
  let seeds: [Seed] = [
    .documents("encoding/gzip-no-header.xml.gz"),
    .bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 4, 0, 0x43, 0xBE, 0xB7, 0xE8, 1, 0, 0, 0]),
  ]

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    var choices = Choices(input)
    let whole = unpacked([input[...]])
    let inPieces = unpacked(choices.pieces(of: input))
    try requireEqual(whole.bytes, inPieces.bytes, "an archive at once, and in pieces")
    try requireEqual(whole.flaws, inPieces.flaws, "the flaws of an archive")
  }

  private func unpacked(_ pieces: [ArraySlice<UInt8>]) -> (bytes: [UInt8], flaws: [DocumentFlaw]) {
    var unpacking = Unpacking()
    var result: [UInt8] = []
    do {
      for piece in pieces {
        unpacking.append(Array(piece), isLast: false)
        while let bytes = try unpacking.next() { result += bytes }
      }
      unpacking.append([], isLast: true)
      while let bytes = try unpacking.next() { result += bytes }
    } catch {
      return ([], [.noMemory])
    }
    return (result, unpacking.flaws)
  }
}
