import Models
import PictureFiles
import Workers

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

  /// A smaller version of a picture that is larger than a thumbnail has to be; nil to store the picture as it came.
  ///
  /// A picture is stored as it came if it is small enough, or if it cannot be decoded here.
  func shrunk(_ bytes: [UInt8], _ info: PictureInfo) async throws(Failure) -> MadeThumbnail? {
    guard isToBeShrunk(bytes, info), let imaging else {
      return try Self.asItCame(bytes, info)
    }
    do throws(ImagingError) {
      return try await imaging.thumbnail(of: .bytes(bytes), longestSide: SyncLimits.thumbnailSide)
    } catch .unsupported {
      return nil
    } catch  where error.isOfDecoder {
      return try Self.asItCame(bytes, info)
    } catch {
      throw .imaging(error)
    }
  }

  /// Whether a JPEG lacks its end marker alone, as some cameras write it; the decoder draws it if that is so.
  static func lacksOnlyEnd(_ bytes: [UInt8]) -> Bool { PictureEdits(ofJPEG: bytes) != nil }

  /// Nil, unless the picture lacks its end: then it is not stored as it came.
  private static func asItCame(
    _ bytes: [UInt8],
    _ info: PictureInfo
  ) throws(Failure) -> MadeThumbnail? {
    if lacksOnlyEnd(bytes) { throw .cutPicture(info.format) }
    return nil
  }
}
