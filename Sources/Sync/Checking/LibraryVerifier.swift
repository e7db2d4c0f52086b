import Models
import PictureFiles
package import Workers

/// The policy of verification: the database first, then thumbnails, originals, the object store and stray files.
///
/// Each page that was checked is remembered, so that an interrupted verification resumes there. A library that cannot
/// be written can be verified, too, but its verification cannot resume.
package struct LibraryVerifier: LibraryVerifying {
  private let library: any LibraryInspecting
  private let repairer: any PictureRepairing
  private let objects: ObjectOriginals?
  private let imaging: (any ImageDecoding)?
  private let details: DetailsReader?

  /// Creates a verifier, which also checks an object store if there is one.
  ///
  /// Without a decoder, it checks thumbnails by their bytes alone. With a reader of details, it reads those of sound
  /// originals again.
  package init(
    library: any LibraryInspecting,
    repairer: any PictureRepairing,
    objects: ObjectOriginals? = nil,
    imaging: (any ImageDecoding)? = nil,
    details: DetailsReader? = nil
  ) {
    self.library = library
    self.repairer = repairer
    self.objects = objects
    self.imaging = imaging
    self.details = details
  }

  package func verify(_ plan: VerificationPlan) -> VerificationRun {
    let progress = Locked(VerificationCounts())
    return VerificationRun(progress) { teller in
      var verification = Verification(
        plan: plan,
        library: library,
        repairer: repairer,
        objects: objects,
        thumbnailCheck: ThumbnailCheck(imaging: imaging),
        details: details,
        progress: progress,
        teller: teller
      )
      await verification.run()
    }
  }
}

/// Checks that stored thumbnails are intact: by their bytes, and by decoding them if there is a decoder.
struct ThumbnailCheck: Sendable {
  let imaging: (any ImageDecoding)?

  /// The damage of each thumbnail; nil for an intact one.
  ///
  /// All thumbnails are handed to the decoders at once, which work on as many as they can.
  func damages(of thumbnails: [StoredThumbnail]) async -> [Damage?] {
    await thumbnails.mapConcurrently { await damage(of: $0) }
  }

  private func damage(of thumbnail: StoredThumbnail) async -> Damage? {
    if let damage = Self.damage(of: thumbnail) { return damage }
    return await damage(inside: thumbnail.bytes)
  }

  /// The damage that the bytes alone show; nil if they look intact.
  static func damage(of thumbnail: StoredThumbnail) -> Damage? {
    guard thumbnail.isIntact else { return .otherContent }
    guard let check = PictureCheck(thumbnail.bytes) else {
      return .notAPicture(looksLike: ContentKind(thumbnail.bytes).noun)
    }
    if check.completeness == .cut { return .cut(check.info.format) }
    guard let info = thumbnail.info else { return nil }
    if info.format != check.info.format { return .otherFormat(check.info.format) }
    let count = thumbnail.bytes.count
    return info.bytes == count ? nil : .otherLength(count, expected: info.bytes)
  }

  /// The damage that decoding shows; nil unless the error is in the picture itself.
  ///
  /// An unsupported format or a missing decoder does not count as damage.
  private func damage(inside bytes: [UInt8]) async -> Damage? {
    do throws(ImagingError) {
      _ = try await imaging?.pixels(of: .bytes(bytes), fitting: CheckLimits.box, extent: .whole)
      return nil
    } catch {
      switch error {
      case .undecodable(let message): return .undecodable(message)
      case .notAPicture(let kind): return .notAPicture(looksLike: kind)
      default: return nil
      }
    }
  }
}
