import Models
import Workers

/// Finds the signs that hosts send in place of their pictures to requests without a `Referer` field.
///
/// The same bytes at different addresses of a host may be such a sign, or one picture with several addresses. It is a
/// sign if a request with a `Referer` gives other bytes. Only then the field is sent with the next requests.
final class SubstituteSigns: Sendable {
  private struct Place: Hashable {
    let feed: Int
    let host: String
    /// A hash of the bytes, or of a part of them.
    let bytes: Int
    /// Whether it is kept as an original.
    var isOriginal = false
  }

  private struct State {
    /// The first pictures with some bytes.
    var firsts: [Place: WantedPicture] = [:]
    /// The bytes that hosts send with each `Referer`, too.
    var pictures: Set<Place> = []
    var signs: Set<Place> = []
    /// The fields that have brought pictures, by feeds.
    var referers: [Int: PictureReferer] = [:]
    /// The first pictures with the bytes of signs, which are stored, by feeds.
    var masked: [Int: [WantedPicture]] = [:]
    /// The first originals with the bytes of signs, which are stored, with their hashes, by feeds.
    var maskedOriginals: [Int: [(wanted: WantedPicture, sign: String)]] = [:]
  }

  private let state = Locked(State())

  /// The field with which requests for a feed's pictures begin; nil while none is needed.
  func referer(of origin: PictureOrigin) -> PictureReferer? {
    origin.referer ?? state.withLock { $0.referers[origin.feedKey] }
  }

  /// Whether the bytes of an image's first thumbnail may be a sign; notes them otherwise.
  func maySuspect(_ outcome: PictureOutcome, of origin: PictureOrigin) -> Bool {
    guard let place = Self.place(of: outcome, origin) else { return false }
    return maySuspect(outcome.wanted, place)
  }

  private func maySuspect(_ wanted: WantedPicture, _ place: Place) -> Bool {
    state.withLock { state in
      if state.signs.contains(place) { return true }
      if state.pictures.contains(place) { return false }
      guard let first = state.firsts[place] else {
        if state.firsts.count < SyncLimits.picturesComparedForSigns {
          state.firsts[place] = wanted
        }
        return false
      }
      return first.imageID != wanted.imageID
        && !first.address.isOfSamePicture(as: wanted.address)
    }
  }

  /// Looks for the picture behind a sign.
  ///
  /// - Parameters:
  ///   - outcome: The outcome of an image's first request.
  ///   - origin: The feed.
  ///   - ask: Requests a picture once more, with the `Referer` field of its request.
  /// - Returns: The outcome with that picture; the same outcome if it is no sign.
  func unmasked(
    _ outcome: PictureOutcome,
    of origin: PictureOrigin,
    ask: (WantedPicture) async -> PictureOutcome
  ) async -> PictureOutcome {
    guard !outcome.isLarge, maySuspect(outcome, of: origin),
      let place = Self.place(of: outcome, origin)
    else { return outcome }
    var wireBytes = outcome.wireBytes
    for referer in PictureReferer.allCases where referer != outcome.wanted.referer {
      var wanted = outcome.wanted
      wanted.referer = referer
      var other = await ask(wanted)
      wireBytes += other.wireBytes
      guard case .new = other.result, Self.place(of: other, origin) != place else { continue }
      note(referer, behind: place)
      (other.wanted, other.wireBytes) = (outcome.wanted, wireBytes)
      return other
    }
    state.withLock { state in
      if !state.signs.contains(place) { _ = state.pictures.insert(place) }
    }
    var outcome = outcome
    outcome.wireBytes = wireBytes
    return outcome
  }

  /// The images of a feed that were stored with a sign; they are returned once, and have to be requested again.
  func takeMasked(of origin: PictureOrigin) -> [WantedPicture] {
    state.withLock { state in
      let referer = state.referers[origin.feedKey]
      return (state.masked.removeValue(forKey: origin.feedKey) ?? []).map { wanted in
        var wanted = wanted
        wanted.referer = referer
        return wanted
      }
    }
  }

  // MARK: Originals to keep

  /// Looks for the original behind a sign that was stored in its place.
  ///
  /// - Parameters:
  ///   - fetched: The original, which has just arrived for the first time.
  ///   - wanted: The picture that was requested.
  ///   - origin: The feed.
  ///   - ask: Requests it once more in place of the stored one, with the `Referer` field of its request; nil if it
  ///     cannot be had.
  /// - Returns: The original that is stored then.
  func unmasked(
    _ fetched: FetchedOriginal,
    _ wanted: WantedPicture,
    of origin: PictureOrigin,
    ask: (WantedPicture) async -> FetchedOriginal?
  ) async -> FetchedOriginal {
    guard let place = Self.place(of: fetched, wanted, origin), maySuspect(wanted, place) else {
      return fetched
    }
    var fetched = fetched
    let sign = fetched.original.sha256
    for referer in PictureReferer.allCases where referer != wanted.referer {
      var again = wanted
      again.referer = referer
      guard var other = await ask(again) else { continue }
      other.wireBytes += fetched.wireBytes
      guard other.wasDownloaded, other.original.sha256 != sign else {
        fetched.wireBytes = other.wireBytes
        continue
      }
      note(referer, behind: place, sign: sign)
      return other
    }
    state.withLock { state in
      if !state.signs.contains(place) { _ = state.pictures.insert(place) }
    }
    return fetched
  }

  /// The images of a feed whose stored originals are signs, with their hashes; they are returned once, and have to be
  /// requested again.
  func takeMaskedOriginals(of origin: PictureOrigin) -> [(wanted: WantedPicture, sign: String)] {
    state.withLock { state in
      let referer = state.referers[origin.feedKey]
      return (state.maskedOriginals.removeValue(forKey: origin.feedKey) ?? []).map { masked in
        var masked = masked
        masked.wanted.referer = referer
        return masked
      }
    }
  }

  /// Nil unless the original has just been received for the first time, and a page shows it.
  private static func place(
    of fetched: FetchedOriginal,
    _ wanted: WantedPicture,
    _ origin: PictureOrigin
  ) -> Place? {
    guard fetched.wasDownloaded, fetched.doubts.isEmpty, wanted.held == nil,
      wanted.page?.isWeb == true, let host = wanted.address.authority
    else { return nil }
    let bytes = fetched.original.sha256.hashValue
    return Place(feed: origin.feedKey, host: host, bytes: bytes, isOriginal: true)
  }

  // MARK: Signs

  private func note(_ referer: PictureReferer, behind place: Place, sign: String? = nil) {
    state.withLock { state in
      state.referers[place.feed] = referer
      guard state.signs.insert(place).inserted, let first = state.firsts[place] else { return }
      if let sign {
        state.maskedOriginals[place.feed, default: []].append((first, sign))
      } else {
        state.masked[place.feed, default: []].append(first)
      }
    }
  }

  /// Nil unless the picture has just been received for the first time, and a page shows it.
  ///
  /// Hosts send signs so that pages of other sites do not show their pictures.
  private static func place(of outcome: PictureOutcome, _ origin: PictureOrigin) -> Place? {
    guard case .new(let thumbnail) = outcome.result, outcome.wireBytes > 0,
      outcome.wanted.page?.isWeb == true, let host = outcome.wanted.address.authority
    else { return nil }
    return Place(feed: origin.feedKey, host: host, bytes: bytes(of: thumbnail))
  }

  /// The original that a thumbnail was made from, else the length and the ends of the thumbnail itself.
  private static func bytes(of thumbnail: FetchedThumbnail) -> Int {
    if let source = thumbnail.sourceSHA256 { return source.hashValue }
    let bytes = thumbnail.bytes
    var hasher = Hasher()
    hasher.combine(bytes.count)
    for byte in bytes.prefix(endBytes) { hasher.combine(byte) }
    for byte in bytes.suffix(endBytes) { hasher.combine(byte) }
    return hasher.finalize()
  }

  private static let endBytes = 24
}
