package import FoundationEssentials
package import Models

/// Tells which pictures of a feed are wanted, and keeps what became of them, for each `PictureKind`.
///
/// A thumbnail is fetched from the address that its feed names. A made thumbnail is made from the original of an
/// image whose feed names none: the address of such a picture is the original's, and its validators are those of
/// the original that the stored thumbnail was made from.
package protocol PictureStoring: Sendable {
  /// Whether any thumbnail of a feed is to be fetched, made or asked about: one question instead of many, which
  /// mostly answers them all.
  func wantsThumbnails(feedID: Int64, _ filter: PictureFilter) async throws(StoreError) -> Bool

  /// How many pictures of a feed are missing or outdated; with `filter.all`, how many it names.
  func count(
    of kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter
  ) async throws(StoreError) -> PictureCount

  /// The next pictures to request, newest first: the missing and outdated ones, or with `filter.all` every one.
  /// Starts behind `last`, so that a picture that fails is not offered again.
  func wanted(
    _ kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter,
    after last: WantedPicture?,
    limit: Int
  ) async throws(StoreError) -> [WantedPicture]

  /// How to make the thumbnail of an image from its stored original; nil when it wants none, or when the original is
  /// missing or outdated.
  func wantedThumbnail(madeFor imageID: Int64) async throws(StoreError) -> WantedPicture?

  /// The images of a feed whose stored pictures are due: their servers are to be asked whether they have changed.
  /// The longest due comes first.
  func due(
    _ kind: PictureKind,
    feedID: Int64,
    _ filter: PictureFilter
  ) async throws(StoreError) -> [Int64]

  /// How to ask about the stored pictures of images; images that have none are left out.
  func checks(_ kind: PictureKind, imageIDs: [Int64]) async throws(StoreError) -> [WantedPicture]

  /// SHA-256 of the picture that an image's thumbnail was made from; nil for one that is stored as it came.
  func thumbnailSource(imageID: Int64) async throws(StoreError) -> String?

  /// Keeps what became of pictures in one transaction: each new or changed thumbnail replaces the one before.
  ///
  /// Originals are stored by their files (`openOriginalFile`); a batch of them has failed and unchanged ones alone.
  func store(_ batch: PictureBatch, _ kind: PictureKind) async throws(StoreError)

  /// Opens the file for an original to arrive in; waits for another process that is fetching the same one.
  func openOriginalFile(imageID: Int64) async throws(StoreError) -> any OriginalWriting

  /// Notes that an original was looked at, so that others give way before it does; only in a bounded library.
  ///
  /// A note that cannot be written is left out.
  func noteLook(atOriginal sha256: String, now: Date) async

  /// The thumbnails whose colours (`ColourGrid`) are not known, those of the newest images first.
  ///
  /// Images that share a thumbnail name it once each.
  func thumbnailsWithoutColours(limit: Int) async throws(StoreError) -> [SHA256Digest]

  /// Keeps colours of thumbnails by the hashes of their bytes, in one transaction.
  ///
  /// Empty ones say that a thumbnail cannot be decoded, so that it is not tried again. A thumbnail that has been replaced
  /// meanwhile waits for its own. Colours are no change of the library: each client can make them of the thumbnail.
  func store(colours: [SHA256Digest: [UInt8]]) async throws(StoreError)
}

/// Which of a feed's pictures a sync wants to be offered.
package struct PictureFilter: Sendable, Equatable {
  /// The originals that thumbnails are made from.
  package enum Originals: Sendable, Equatable {
    case all
    /// Those that are stored and right: making takes no network.
    case stored
    /// Those that are to be fetched first.
    case notStored
  }

  package var now: Date
  /// Whether pictures that are stored and right are offered, too.
  package var all: Bool
  /// Whether pictures are offered that failed so lately that they would be held back.
  package var retriesFailed: Bool
  /// Which made thumbnails are offered, by their originals; has no meaning for other kinds.
  package var originals = Originals.all

  package init(now: Date, all: Bool = false, retriesFailed: Bool = false) {
    self.now = now
    self.all = all
    self.retriesFailed = retriesFailed
  }

  /// The same filter, for thumbnails that are made from some originals.
  package func from(_ originals: Originals) -> PictureFilter {
    var filter = self
    filter.originals = originals
    return filter
  }
}

/// How many pictures of a feed are wanted.
package struct PictureCount: Sendable, Equatable {
  /// Those that are asked for.
  package var offered: Int
  /// Those that have failed too lately to be asked for again.
  package var heldBack: Int
  /// Why they are held back, the most frequent reason first.
  package var failures: [FailureGroup]
  /// Bytes of all that are wanted, as far as the feed declares them: of originals only.
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

  /// All that are wanted.
  package var wanted: Int { offered + heldBack }
}

/// A thumbnail or an original to request.
package struct WantedPicture: Sendable, Equatable {
  /// A position in the order of fetching, within one feed: newest first.
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
  /// Since when the picture is likely to be what it is: when the stored one came, else when the image
  /// was published or first seen.
  package var since: Date
  /// What the stored picture of this address is asked about with, empty to have it sent in any case;
  /// nil when none is stored.
  package var held: Validators?

  package init(
    imageID: Int64,
    address: WebAddress,
    rank: Rank,
    since: Date,
    held: Validators? = nil
  ) {
    self.imageID = imageID
    self.address = address
    self.rank = rank
    self.since = since
    self.held = held
  }
}
