import Models

@testable import PictureFiles

/// The checks of the first and last bytes of every picture that arrives.
struct PictureTarget: FuzzTarget {
  let name = "picture"
  let dictionary = "picture"
  var seeds: [Seed] { PictureSeeds.all.map(Seed.bytes) }

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    let whole = PictureSample(input)
    let found = PictureCheck(whole)
    var choices = Choices(input)
    try requireEqual(found, PictureCheck(arrived(input, &choices)), "a file at once, and in pieces")
    try requireEqual(found == nil, ImageHeader(input) == nil, "a picture and its header")
    if let found { try requireSound(found, input.count) }
    try require(!ContentKind(input).noun.isEmpty, "what something is has no name")
    try readParts(of: input, &choices)
    try readPlainly(input)
  }

  /// Reads the input in each of the formats that this project decodes itself, and checks the tests for other formats.
  private func readPlainly(_ input: [UInt8]) throws(BrokenProperty) {
    let limit = 1 << 20
    for format in [ImageFormat.bmp, .ico, .pnm] {
      for isPartial in [false, true] {
        let content = try? PlainPicture.read(input, as: format, isPartial: isPartial, limit: limit)
        guard case .pixels(let picture) = content else { continue }
        let count = picture.width * picture.height * picture.bands
        try requireEqual(picture.pixels.count, count, "the pixels of a picture")
        try require(count <= limit, "\(count) bytes of pixels")
      }
    }
    let reader = ByteReader(input[...])
    let reading = { (offset: Int, count: Int) in
      reader.bytes(at: offset, count: count).map(Array.init)
    }
    let choice = TIFFFile(reading: reading)?.choice(reading: reading)
    if case .directory(let directory, _, _, _) = choice {
      try require(directory.stripBytesAtOnce >= 0, "strips below nothing")
      _ = directory.undrawn
    }
    _ = ImageHeader.hasDifferingAlpha(input)
    _ = ImageHeader.undrawn(ofJPEG2000: reading)
    try requireSoundEdits(input, reading)
    try requireSoundDetails(input, reading)
    if let copy = Self.copyWithoutPlace(of: input) {
      try requireEqual(Self.copyWithoutPlace(of: copy), copy, "a copy without the place")
    }
    _ = DeclaredColours(ofISOMedia: input)
    _ = DeclaredColours(ofPNG: reading)
    _ = DeclaredColours(ofJPEGXL: input)
  }

  /// Checks what a camera may have written, in each form in which it may be.
  private func requireSoundDetails(
    _ input: [UInt8],
    _ reading: (Int, Int) -> [UInt8]?
  ) throws(BrokenProperty) {
    let text = PictureDetails(exif: [], xmp: [input])
    for details in [PictureDetails(exif: input), PictureDetails(tiff: reading), text] {
      try requireEqual(details, details.sound, "what a camera has written")
    }
  }

  /// The file without the place; nil if it is refused.
  private static func copyWithoutPlace(of input: [UInt8]) -> [UInt8]? {
    let removal = try? PlaceRemoval(length: input.count) { offset, count in
      ByteReader(input[...]).bytes(at: offset, count: count).map(Array.init)
    }
    guard let removal else { return nil }
    var copy = input
    copy.withUnsafeMutableBytes { removal.apply(to: $0, at: 0) }
    return copy
  }

  /// Checks that edits are within the file.
  private func requireSoundEdits(
    _ input: [UInt8],
    _ reading: (Int, Int) -> [UInt8]?
  ) throws(BrokenProperty) {
    let media = PictureEdits(ofISOMedia: input, length: input.count)
    let edits = [media, PictureEdits(ofWebP: reading)]
    for replacement in edits.flatMap(\.replacements) {
      let end = replacement.offset + replacement.bytes.count
      try require(end <= input.count, "an edit behind the end")
    }
    if let ended = PictureEdits(ofJPEG: input) {
      try requireEqual(ended.end, [0xFF, 0xD9], "the end of a JPEG")
    }
  }

  private func arrived(_ input: [UInt8], _ choices: inout Choices) -> PictureSample {
    var sample = PictureSample()
    for piece in choices.pieces(of: input) { sample.append(Array(piece)) }
    return sample
  }

  /// Checks a file of which only the ends are known; the unknown part may only make the result less certain.
  private func readParts(of input: [UInt8], _ choices: inout Choices) throws(BrokenProperty) {
    let head = Array(input.prefix(Int.random(in: 0...input.count, using: &choices)))
    let tail = Array(input.suffix(Int.random(in: 0...input.count, using: &choices)))
    let sample = PictureSample(head: head, tail: tail, length: input.count)
    if let found = PictureCheck(sample) { try requireSound(found, input.count) }
    // Most of this file is unknown: every offset counts from its beginning.
    let length = Int.random(in: input.count...1 << 40, using: &choices)
    let long = PictureSample(head: head, tail: tail, length: length)
    if let found = PictureCheck(long) { try requireSound(found, length) }
  }

  private func requireSound(_ found: PictureCheck, _ length: Int) throws(BrokenProperty) {
    try requireEqual(found.info.bytes, length, "the length of a file")
    try require((found.info.width ?? 1) > 0, "a width of \(found.info.width ?? 0)")
    try require((found.info.height ?? 1) > 0, "a height of \(found.info.height ?? 0)")
    try require((found.info.width == nil) == (found.info.height == nil), "half of a size")
  }
}
