import FoundationEssentials
import Models
import Workers

/// Makes thumbnails from originals: stored ones, and those that have just arrived.
struct ThumbnailMaker: Sendable {
  let store: any LibraryReading & PictureStoring
  let imaging: any ImageDecoding
  let now: @Sendable () -> Date

  /// The thumbnail of an image's stored original; nil if that is missing, outdated or damaged.
  func thumbnailOfStored(_ wanted: WantedPicture) async throws(Failure) -> FetchedThumbnail? {
    let original = try await Failure.ofStore(await store.original(imageID: wanted.imageID))
    guard let original, original.isRight else { return nil }
    do throws(Failure) {
      let made = try await decode(original.picture)
      let checkDate = original.checkDate ?? now()
      let version = (original.sha256, original.validators)
      return FetchedThumbnail(wanted, made, of: version, fetched: now(), checkDate: checkDate)
    } catch .imaging(.unreadable) {
      // The file is missing: fetch it.
      return nil
    }
  }

  /// The thumbnail of an original that has arrived whole; unchanged if the stored one was made from the same bytes.
  ///
  /// - Parameters:
  ///   - wanted: The picture that was requested.
  ///   - file: The original.
  ///   - header: The header of the last response.
  ///   - validators: The validators of the original.
  /// - Returns: A new thumbnail, a changed one, or the note that it is unchanged.
  /// - Throws: when the original cannot be decoded, or the library cannot be read.
  func thumbnail(
    _ wanted: WantedPicture,
    of file: any OriginalWriting,
    _ header: NetworkHeader,
    _ validators: Validators
  ) async throws(Failure) -> PictureOutcome.Result {
    let (sha256, isHeld) = (file.sha256, wanted.held != nil)
    let source = try await Failure.ofStore(
      isHeld ? await store.thumbnailSource(imageID: wanted.imageID) : nil
    )
    if isHeld, source == sha256 {
      var picture = wanted.unchanged(header, validators, now())
      picture.repeatedSHA256 = sha256
      return .unchanged(picture)
    }
    let made = try await decode(.file(path: file.path))
    let now = now()
    // A picture that has changed may soon change again, no matter when the image was published.
    let since = isHeld ? now : wanted.since
    let checkDate = header.checkDate(since: since, now: now)
    let version = (sha256, validators)
    let thumbnail = FetchedThumbnail(wanted, made, of: version, fetched: now, checkDate: checkDate)
    return isHeld ? .changed(thumbnail) : .new(thumbnail)
  }

  private func decode(_ picture: PictureSource) async throws(Failure) -> MadeThumbnail {
    do throws(ImagingError) {
      return try await imaging.thumbnail(of: picture, longestSide: SyncLimits.thumbnailSide)
    } catch {
      throw .imaging(error)
    }
  }
}

extension FetchedThumbnail {
  fileprivate init(
    _ wanted: WantedPicture,
    _ made: MadeThumbnail,
    of original: (sha256: String, validators: Validators),
    fetched: Date,
    checkDate: Date
  ) {
    self.init(
      imageID: wanted.imageID,
      address: wanted.address,
      validators: original.validators,
      info: made.info,
      bytes: made.bytes,
      fetched: fetched,
      checkDate: checkDate,
      sourceSHA256: original.sha256
    )
  }
}
