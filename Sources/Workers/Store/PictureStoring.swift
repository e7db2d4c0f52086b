package import FoundationEssentials
package import Models

/// Finds the wanted pictures of a feed, and stores their results, for each `PictureKind`.
///
/// A thumbnail is fetched from the address in its feed. If the feed does not name one, or if that cannot be fetched, a
/// thumbnail is made from the original. The address and the validators of a made thumbnail are those of its original.
package protocol PictureStoring: Sendable {
  /// Whether any thumbnail of a feed is to be fetched, made or checked.
  ///
  /// This one query usually saves many.
  func wantsThumbnails(feedID: Int64, _ filter: PictureFilter) async throws(StoreError) -> Bool

  /// The number of missing or outdated pictures of a feed; with `filter.all`, of all its pictures.
  func count(
    of kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter
  ) async throws(StoreError) -> PictureCount

  /// The next pictures to request, newest first: the missing and outdated ones, or with `filter.all` every one.
  ///
  /// They start after `last`, so that a picture that fails is not offered again.
  func wanted(
    _ kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter,
    after last: WantedPicture?,
    limit: Int
  ) async throws(StoreError) -> [WantedPicture]

  /// The data for making the thumbnail of an image from its stored original.
  ///
  /// Nil when the image does not want one, or when the original is missing or outdated.
  func wantedThumbnail(madeFor imageID: Int64) async throws(StoreError) -> WantedPicture?

  /// The images of a feed whose stored pictures are due for a check with their servers, the longest due first.
  func due(
    _ kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter
  ) async throws(StoreError) -> [Int64]

  /// The data for checking the stored pictures of images; images without them are left out.
  func checks(_ kind: PictureKind, imageIDs: [Int64]) async throws(StoreError) -> [WantedPicture]

  /// The addresses of an image's other renditions, as in `FeedImage`.
  func renditions(imageID: Int64) async throws(StoreError) -> [WebAddress]

  /// The stored picture of an image that another one would replace.
  ///
  /// - Parameters:
  ///   - kind: The kind of the picture.
  ///   - imageID: The image.
  ///   - sha256: The hash of the other picture, in lower-case hexadecimal digits.
  /// - Returns: The stored picture; nil when none is stored, and for a damaged thumbnail.
  /// - Throws: when the library cannot be read.
  func held(
    _ kind: PictureKind,
    imageID: Int64,
    against sha256: String
  ) async throws(StoreError) -> HeldPicture?

  /// SHA-256 of the picture from which an image's thumbnail was made; nil for one that is stored as it arrived.
  func thumbnailSource(imageID: Int64) async throws(StoreError) -> String?

  /// Stores the results of pictures in one transaction; a new or changed thumbnail replaces the stored one.
  ///
  /// Originals are stored with their files (`openOriginalFile`), so a batch of them contains only failed and unchanged
  /// ones.
  func store(_ batch: PictureBatch, _ kind: PictureKind) async throws(StoreError)

  /// Opens the file for an arriving original; waits for another process that is fetching the same one.
  func openOriginalFile(imageID: Int64) async throws(StoreError) -> any OriginalWriting

  /// Records that an original was viewed, so that others are removed before it; only in a bounded library.
  ///
  /// A failure to write the record is ignored.
  func noteLook(atOriginal sha256: String, now: Date) async

  /// As in `OriginalFetching`.
  func hold(_ path: String, for time: OriginalHoldTime) async -> Bool

  /// As in `OriginalFetching`.
  func letGo() async

  /// The thumbnails whose colours (`ColourGrid`) are unknown, those of the newest images first.
  ///
  /// A thumbnail that several images share is listed once for each of them.
  func thumbnailsWithoutColours(limit: Int) async throws(StoreError) -> [SHA256Digest]

  /// Stores colours of thumbnails by the hashes of their bytes, in one transaction.
  ///
  /// Empty colours mean that a thumbnail cannot be decoded and must not be tried again. A thumbnail that has been
  /// replaced in the meantime needs its own colours. Colours do not count as a change of the library, because each
  /// client can compute them from the thumbnail.
  func store(colours: [SHA256Digest: [UInt8]]) async throws(StoreError)
}

/// The pictures of a feed that a sync wants to be offered.
package struct PictureFilter: Sendable, Equatable {
  /// The originals from which thumbnails are made.
  package enum Originals: Sendable, Equatable {
    case all
    /// Originals that are stored and right, so that the network is not needed.
    case stored
    /// Originals that must be fetched first.
    case notStored
  }

  package var now: Date
  /// Whether stored and right pictures are also offered.
  package var all: Bool
  /// Whether pictures are offered that would be held back because of a recent failure.
  package var retriesFailed: Bool
  /// The made thumbnails to offer, by their originals; it has no effect on other kinds.
  package var originals = Originals.all

  package init(now: Date, all: Bool = false, retriesFailed: Bool = false) {
    self.now = now
    self.all = all
    self.retriesFailed = retriesFailed
  }

  /// The same filter, limited to thumbnails that are made from some originals.
  package func from(_ originals: Originals) -> PictureFilter {
    var filter = self
    filter.originals = originals
    return filter
  }
}

/// The numbers of a feed's wanted pictures.
package struct PictureCount: Sendable, Equatable {
  /// Pictures that are offered.
  package var offered: Int
  /// Pictures that are held back because of a recent failure.
  package var heldBack: Int
  /// The reasons why they are held back, the most frequent first.
  package var failures: [FailureGroup]
  /// The declared size of all wanted originals, in bytes.
  package var declaredBytes: Int

  package init(
    offered: Int,
    heldBack: Int,
    failures: [FailureGroup] = [],
    declaredBytes: Int = 0
  ) {
    self.offered = offered
    self.heldBack = heldBack
    self.failures = failures
    self.declaredBytes = declaredBytes
  }

  /// All wanted pictures.
  package var wanted: Int { offered + heldBack }
}

/// A thumbnail or an original to request.
package struct WantedPicture: Sendable, Equatable {
  /// The position of a picture in the order of fetching within one feed, newest first.
  package struct Rank: Sendable, Equatable {
    package var date: Int64
    package var position: Int64

    package init(date: Int64, position: Int64) {
      self.date = date
      self.position = position
    }
  }

  package var imageID: Int64
  package var address: WebAddress
  package var rank: Rank
  /// The time since which the picture has probably not changed.
  ///
  /// It is the arrival of the stored picture, or else the time when the image was published or first seen.
  package var since: Date
  /// The validators of the stored picture; empty to fetch it unconditionally.
  ///
  /// Nil when it is not stored.
  package var held: Validators?
  /// The web page of the image.
  package var page: WebAddress?
  /// Whether the image has a stored thumbnail, right or outdated.
  package var hasThumbnail = false
  /// The `Referer` field of its request; nil for that of its feed.
  package var referer: PictureReferer?

  package init(
    imageID: Int64,
    address: WebAddress,
    rank: Rank,
    since: Date,
    held: Validators? = nil,
    page: WebAddress? = nil
  ) {
    self.imageID = imageID
    self.address = address
    self.rank = rank
    self.since = since
    self.held = held
    self.page = page
  }
}
