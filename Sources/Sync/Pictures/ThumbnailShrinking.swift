import Models
import PictureFiles
import Workers

/// The file that is stored in the place of a picture that arrived as a thumbnail.
struct ThumbnailFile {
  let info: PictureInfo
  let bytes: [UInt8]
}

extension SyncTools {
  /// Whether a picture is larger than a thumbnail has to be, or lacks its end, and something here can decode it.
  func isToBeShrunk(_ bytes: [UInt8], _ info: PictureInfo) -> Bool {
    let isRightSize = ThumbnailSides.allow(
      info.width ?? 0,
      info.height ?? 0,
      longestSide: SyncLimits.thumbnailSide
    )
    let isTooLarge = !isRightSize || bytes.count > SyncLimits.thumbnailBytesAsItCame
    return imaging != nil && (isTooLarge || Self.lacksOnlyEnd(bytes))
  }

  /// The file to store in the place of a picture; nil to store the picture as it came.
  ///
  /// A picture is stored as it came if it is small enough, or cannot be decoded here, and if it tells no place. A place
  /// is removed: thumbnails are published, also where places are not.
  ///
  /// - Throws: when the picture cannot be decoded, and so lacks its end, or keeps its place.
  func replacement(
    for bytes: [UInt8],
    _ info: PictureInfo
  ) async throws(Failure) -> ThumbnailFile? {
    if isToBeShrunk(bytes, info), let shrunk = try await shrunk(bytes) { return shrunk }
    if Self.lacksOnlyEnd(bytes) { throw .cutPicture(info.format) }
    switch PlaceFinding(in: bytes) {
    case .none: return nil
    case .removable(let copy, _): return ThumbnailFile(info: info, bytes: copy)
    case .notRemovable: return try await drawn(bytes)
    }
  }

  /// A smaller version of a picture; nil without a decoder that knows its format.
  private func shrunk(_ bytes: [UInt8]) async throws(Failure) -> ThumbnailFile? {
    do throws(Failure) { return try await drawn(bytes) } catch .imaging(.unsupported) {
      return nil
    } catch .imaging(let error) where error.isOfDecoder {
      return nil
    }
  }

  /// The picture as a decoder draws it, which tells nothing but its pixels.
  func drawn(_ bytes: [UInt8]) async throws(Failure) -> ThumbnailFile {
    guard let imaging else { throw .imaging(.noDecoder(lookedAt: [])) }
    do throws(ImagingError) {
      let side = SyncLimits.thumbnailSide
      let made = try await imaging.thumbnail(of: .bytes(bytes), longestSide: side)
      return ThumbnailFile(info: made.info, bytes: made.bytes)
    } catch {
      throw .imaging(error)
    }
  }

  /// Whether a JPEG lacks its end marker alone, as some cameras write it; the decoder draws it if that is so.
  static func lacksOnlyEnd(_ bytes: [UInt8]) -> Bool { PictureEdits(ofJPEG: bytes) != nil }
}
