import Models
import Workers

extension SyncTools {
  /// Whether a picture is larger than a thumbnail has to be, and something here can decode it.
  func isToBeShrunk(_ bytes: [UInt8], _ info: PictureInfo) -> Bool {
    let side = max(info.width ?? 0, info.height ?? 0)
    return imaging != nil
      && (side > SyncLimits.thumbnailSide || bytes.count > SyncLimits.thumbnailBytesAsItCame)
  }

  /// A smaller version of a picture that is larger than a thumbnail has to be; nil to store the picture as it came.
  ///
  /// A picture is stored as it came if it is small enough, or if it cannot be decoded here.
  func shrunk(_ bytes: [UInt8], _ info: PictureInfo) async throws(Failure) -> MadeThumbnail? {
    guard isToBeShrunk(bytes, info), let imaging else { return nil }
    do throws(ImagingError) {
      return try await imaging.thumbnail(of: .bytes(bytes), longestSide: SyncLimits.thumbnailSide)
    } catch .unsupported {
      return nil
    } catch  where error.isOfDecoder {
      return nil
    } catch {
      throw .imaging(error)
    }
  }
}
