import FoundationEssentials
import Models

/// One fetch of an original whose file is held: asks for it, checks it, and keeps what has come.
struct OriginalFetch {
  let request: OriginalRequest
  /// What is stored already, right or not.
  let stored: StoredOriginal?
  let file: any OriginalWriting
  let network: any Networking
  let store: any OriginalStoring
  let now: @Sendable () -> Date

  func run(
    _ progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal {
    var download = OriginalDownload(request, into: file, unless: conditions, network: network)
    switch try await download.run(progress) {
    case .whole(let info, let header): return try keep(info, header, of: download)
    case .unchanged(let header):
      file.discard()
      return FetchedOriginal(
        original: try renewed(header),
        wasDownloaded: false,
        isUnchanged: true,
        wireBytes: download.wireBytes
      )
    }
  }

  /// Validators say something of the address alone that they came from, and nothing of a damaged file.
  private var conditions: Validators {
    guard let stored, !stored.isDamaged, stored.address?.identity == request.address.identity else {
      return Validators()
    }
    return stored.validators
  }

  private func keep(
    _ info: PictureInfo,
    _ header: NetworkHeader,
    of download: OriginalDownload
  ) throws(Failure) -> FetchedOriginal {
    let isSame = stored?.sha256 == file.sha256
    let now = now()
    // What has just changed may soon do so again.
    let since = stored == nil || isSame ? request.since : now
    let receipt = OriginalReceipt(
      info: info,
      address: request.address,
      validators: download.validators,
      arrived: now,
      checkDate: PictureFreshness.checkDate(header, since: since, now: now)
    )
    return FetchedOriginal(
      original: try committed(receipt),
      wasDownloaded: true,
      resumedFrom: download.resumedFrom,
      isUnchanged: isSame && stored?.isDamaged == false,
      wireBytes: download.wireBytes
    )
  }

  private func committed(_ receipt: OriginalReceipt) throws(Failure) -> StoredOriginal {
    do {
      return try file.commit(receipt)
    } catch {
      throw .store(error)
    }
  }

  /// Notes that what is stored is right; it may have gone meanwhile.
  private func renewed(_ header: NetworkHeader) throws(Failure) -> StoredOriginal {
    let renewed: StoredOriginal?
    do {
      renewed = try store.renewOriginal(
        imageID: request.imageID,
        at: request.address,
        validators: header.validators,
        checkDate: PictureFreshness.checkDate(header, since: request.since, now: now())
      )
    } catch {
      throw .store(error)
    }
    guard let original = renewed ?? stored else { throw .status(header.status) }
    return original
  }
}
