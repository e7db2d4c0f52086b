/// Changes to a picture's file that let libraries read what the file holds; they do not change its pixels.
package struct PictureEdits: Sendable, Equatable {
  /// Bytes that replace others at an offset.
  package struct Replacement: Sendable, Equatable {
    package let offset: Int
    package let bytes: [UInt8]
  }

  /// The part of the file that is the picture; nil for all of it.
  package var part: Range<Int>?
  /// In the order of their offsets, which count from the beginning of the part, without overlaps.
  package var replacements: [Replacement] = []
  /// Bytes to add at the end.
  package var end: [UInt8] = []

  package init() {}

  package var isEmpty: Bool { part == nil && replacements.isEmpty && end.isEmpty }
}

extension PictureEdits {
  /// The edits that an AVIF or HEIC file needs.
  ///
  /// libheif 1.15 refuses three kinds of files, whose pixels do not depend on what the edits change:
  ///
  /// - Metadata may describe several items, such as a photograph and its gain map (ISO/IEC 14496-12, section 8.11.12).
  /// - Groups of items may include a pyramid (ISO/IEC 23008-12, section 6.8.11).
  /// - The box `meta` may have the length 0, which stands for the rest of the file (ISO/IEC 14496-12, section 4.2).
  ///
  /// - Parameters:
  ///   - beginning: The first bytes of the file, with the box `meta`.
  ///   - length: The length of the file in bytes.
  package init(ofISOMedia beginning: [UInt8], length: Int) {
    let bytes = ByteReader(beginning[...])
    guard let meta = ISOMediaHeader.meta(in: bytes) else { return }
    if let size = UInt32(exactly: length - meta.body + 8), meta.end == nil {
      let number = (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
      replacements = [Replacement(offset: meta.body - 8, bytes: number)]
    }
    let items = ISOItemProperties(meta: meta, in: bytes)
    let names = (items?.sharedDescriptions ?? []) + (items?.pyramidGroups ?? [])
    replacements += names.sorted().map { Replacement(offset: $0, bytes: Array("free".utf8)) }
  }

  /// The edits that a WebP file needs.
  ///
  /// The flags of an extended file may deny a transparency that its first picture has, because some programs add
  /// metadata to a file and forget them (RFC 9649, sections 2.7 and 3.4). Decoders look at the flags alone.
  ///
  /// - Parameter reading: Returns the bytes of a range of the file; nil when some are missing.
  package init(ofWebP reading: (_ offset: Int, _ count: Int) -> [UInt8]?) {
    guard let head = reading(0, 21), ByteReader(head[...]).has("VP8X", at: 12),
      head[20] & WebPHeader.alphaFlag == 0, WebPHeader.firstPictureIsTransparent(reading)
    else { return }
    replacements = [Replacement(offset: 20, bytes: [head[20] | WebPHeader.alphaFlag])]
  }

  /// The end that a JPEG file lacks; nil if it has one, or lacks more than that.
  ///
  /// Some cameras omit the end marker. All components must have had their scans, in full precision. A scan that
  /// itself is cut shows only when it is decoded.
  ///
  /// - Parameter file: The whole file.
  package init?(ofJPEG file: [UInt8]) {
    guard PictureCheck(file)?.completeness == .cut,
      JPEGHeader.hasAllScans(in: ByteReader(file[...]))
    else { return nil }
    // The marker, or the second half of it.
    end = [0xFF, 0xD9]
  }
}
