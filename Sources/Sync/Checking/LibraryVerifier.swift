import Models
import PictureFiles
package import Workers

/// The policy of verification: the database first, then thumbnails, then originals, then what
/// refers to nothing.
///
/// Each page that was looked at is remembered, so that an interrupted verification is taken up
/// where it stopped. A library that cannot be written is verified, too; then there is nothing to
/// remember it in.
package struct LibraryVerifier: LibraryVerifying {
  private let library: any LibraryInspecting
  private let repairer: any PictureRepairing
  private let objects: ObjectOriginals?
  private let imaging: (any ImageDecoding)?

  /// Takes what is looked at, what makes it right again, and the originals in an object store, if there is one.
  ///
  /// Without a decoder, thumbnails are looked at by their bytes alone.
  package init(
    library: any LibraryInspecting,
    repairer: any PictureRepairing,
    objects: ObjectOriginals? = nil,
    imaging: (any ImageDecoding)? = nil
  ) {
    self.library = library
    self.repairer = repairer
    self.objects = objects
    self.imaging = imaging
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
        progress: progress,
        teller: teller
      )
      await verification.run()
    }
  }
}

/// Tells whether a stored thumbnail is the picture that was stored: by its bytes, and where there is a
/// decoder, by decoding it.
struct ThumbnailCheck: Sendable {
  let imaging: (any ImageDecoding)?

  /// What is wrong with each of some thumbnails; nil where nothing is.
  ///
  /// All are given to the decoders at once, which take as many as they can.
  func damages(of thumbnails: [StoredThumbnail]) async -> [Damage?] {
    await thumbnails.mapConcurrently { await damage(of: $0) }
  }

  private func damage(of thumbnail: StoredThumbnail) async -> Damage? {
    if let damage = Self.damage(of: thumbnail) { return damage }
    return await damage(inside: thumbnail.bytes)
  }

  /// What is wrong with it as far as its bytes tell.
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

  /// Only what says that the picture itself is damaged counts: one whose format is not decoded here,
  /// or that finds no decoder, is taken as its bytes are.
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
