package import FoundationEssentials
package import Models

/// Brings originals to this disk.
package protocol OriginalFetching: Sendable {
  /// Fetches an original, unless a valid one is already stored and its server need not be asked.
  ///
  /// - Parameters:
  ///   - request: The original, and whether its server is asked even if it is stored.
  ///   - progress: Is called with the progress of the transfer.
  /// - Returns: The original as it is stored now.
  /// - Throws: the reason why it was not fetched; an original that was stored before stays.
  func fetch(
    _ request: OriginalRequest,
    progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> FetchedOriginal

  /// Records that a stored original was viewed.
  func noteLook(at original: StoredOriginal) async

  /// Keeps an original that is shown from giving way, in every process, as long as `time` says.
  ///
  /// - Parameters:
  ///   - path: Its file.
  ///   - time: How long it stays.
  /// - Returns: False when the file is missing, as when the original has just given way.
  func hold(_ path: String, for time: OriginalHoldTime) async -> Bool

  /// Lets go of the original that was held until the next one.
  func letGo() async

  /// Brings an original that only the object store has back to this disk.
  ///
  /// Does nothing for any other original. If this fails, the original stays in the object store.
  func bringBack(imageID: Int64) async

  /// Makes and stores the thumbnail of an image whose feed names none, from its stored original.
  ///
  /// Does nothing when the image has a thumbnail, or when the thumbnail cannot be made. The next sync tries again and
  /// reports the failure.
  func makeThumbnail(imageID: Int64) async
}

/// How long an original stays that somebody is looking at.
package enum OriginalHoldTime: Sendable {
  /// Until the next one is shown.
  case untilNext
  /// As long as the program runs, because it has printed the path of the file.
  case untilEnd
}

/// An original to fetch, with the conditions for fetching it.
package struct OriginalRequest: Sendable, Equatable {
  /// The length of the largest original that is fetched, in bytes.
  package static let mostBytes = 16 << 30

  package var imageID: Int64
  package var address: WebAddress
  /// The copy of another gallery or of the object store, which is fetched instead; nil to fetch from the address.
  package var copy: OriginalCopy?
  /// The addresses to which its transfers may connect.
  package var reach: NetworkReach
  /// The folder that must contain the file of a `file:` address; nil refuses such addresses.
  package var fileFolder: String?
  /// The budget from which fetched bytes are taken; nil for no limit.
  package var budget: TransferBudget?
  /// Whether it leaves the room on the disk that a sync leaves for other programs.
  package var keepsRoom: Bool
  /// Why it is fetched, which decides what gives way to it.
  package var purpose = OriginalPurpose.keeping
  /// Whether somebody is waiting for it.
  package var isLookedAt: Bool { purpose == .viewing }
  /// As in `NetworkRequest`.
  package var feedKey: Int
  /// As in `NetworkRequest`.
  package var feed: WebAddress?
  /// As in `NetworkRequest`.
  package var page: WebAddress?
  /// As in `NetworkRequest`.
  package var referer: PictureReferer?
  /// SHA-256 of a stored original that may be a sign, which its host sends to requests without a `Referer` field.
  ///
  /// A picture that is other and not smaller takes its place without doubts; a smaller one is not kept.
  package var sign: String?
  /// As in `NetworkRequest`.
  package var waits: NetworkWaits?
  /// Whether the server is asked for a change even if a valid original is stored.
  package var isCheck: Bool
  /// The time since which the picture has probably not changed; nil when it is unknown.
  package var since: Date?

  package init(
    imageID: Int64,
    address: WebAddress,
    reach: NetworkReach,
    fileFolder: String? = nil,
    feedKey: Int = 0,
    isCheck: Bool = false,
    since: Date? = nil
  ) {
    self.imageID = imageID
    self.address = address
    self.reach = reach
    self.fileFolder = fileFolder
    keepsRoom = false
    self.feedKey = feedKey
    self.isCheck = isCheck
    self.since = since
  }

  /// Whether the original is a file of a folder that is a feed, which is used where it is.
  package var isInPlace: Bool { fileFolder != nil && feed?.isFolder == true }

  /// The original of an image, with the reach of the image's feed.
  package init(_ image: WebImage, isCheck: Bool = false) {
    self.init(
      imageID: image.id,
      address: image.originalAddress,
      reach: NetworkReach(image.feed.reach),
      fileFolder: image.feed.fileFolder,
      isCheck: isCheck,
      since: image.published ?? image.firstSeen
    )
    purpose = .viewing
    feed = image.feed.address
    page = image.pageAddress ?? image.feed.address
  }
}

/// A copy of an original in another gallery, in the library's object store, or in a file on this disk.
package struct OriginalCopy: Sendable, Equatable {
  package var address: WebAddress
  /// The folder of a file on this disk; nil for other copies.
  package var fileFolder: String?
  /// The library's record of an original in its object store; nil for a copy in another gallery.
  package var stored: StoredOriginal?
  /// The hash that its bytes must have; nil while the gallery has none, because it has to fetch the original itself.
  package var hash: SHA256Digest?
  /// The addresses to which its transfers may connect.
  package var reach: NetworkReach
  /// Whether the image's own address leads to nothing else, because it stands for a file of the gallery's machine.
  ///
  /// It may even lead to a place that the gallery has left. So the reason why the copy did not come says more.
  package var isOnlySource = false

  /// The address without its query, which is a temporary signature in the case of an object store.
  package var source: WebAddress {
    if stored == nil { return address }
    return WebAddress(String(address.text.prefix { $0 != "?" })) ?? address
  }

  package init(
    address: WebAddress,
    hash: SHA256Digest?,
    reach: NetworkReach,
    stored: StoredOriginal? = nil
  ) {
    self.address = address
    self.stored = stored
    self.hash = hash
    self.reach = reach
  }
}

/// An original that was requested and is stored now.
package struct FetchedOriginal: Sendable, Equatable {
  package var original: StoredOriginal
  /// Whether this fetch transferred it.
  ///
  /// It is false if another task had just stored it, or if the server said that the stored original is current.
  package var wasDownloaded: Bool
  /// The number of bytes that an earlier attempt had already fetched.
  package var resumedFrom: Int
  /// Whether this fetch asked the server, and the stored original is unchanged.
  package var isUnchanged: Bool
  /// The number of bytes that were transferred.
  package var wireBytes: Int
  /// The reasons why a newer picture is kept beside it; empty when this fetch brought none.
  package var doubts: [SuccessorDoubt] = []
  /// The images that got their originals back, because this fetch showed that signs had replaced them.
  package var misled: [Int64] = []

  package init(
    original: StoredOriginal,
    wasDownloaded: Bool,
    resumedFrom: Int = 0,
    isUnchanged: Bool = false,
    wireBytes: Int
  ) {
    self.original = original
    self.wasDownloaded = wasDownloaded
    self.resumedFrom = resumedFrom
    self.isUnchanged = isUnchanged
    self.wireBytes = wireBytes
  }
}

/// The progress of fetching one original.
package struct OriginalProgress: Sendable, Equatable {
  /// The number of bytes that have arrived.
  ///
  /// Each response starts with the bytes that precede it: 0, or the part that it continues.
  package var received: Int
  /// The total number of bytes; nil while it is unknown.
  package var total: Int?
  /// The bytes so far, in a growing file that is removed when the fetch ends; nil without such a file.
  package var partial: PictureSource?
  /// The number of the version that the bytes belong to, which is unique in this process.
  ///
  /// A transfer that resumes keeps it. A transfer that begins again may bring another picture, and has another number.
  package var version: Int

  package init(received: Int, total: Int?, partial: PictureSource? = nil, version: Int = 0) {
    self.received = received
    self.total = total
    self.partial = partial
    self.version = version
  }
}

/// An event of fetching one original; one of the last two cases ends it.
package enum OriginalEvent: Sendable, Equatable {
  case progress(OriginalProgress)
  case fetched(FetchedOriginal)
  case failed(Failure)
}

/// A running fetch of one original; stopping it ends it with `failed`, unless it is already complete.
package typealias OriginalRun = FactRun<OriginalEvent, Void>

extension OriginalRun {
  /// Starts a fetch, which runs whether or not its events are read.
  package init(_ request: OriginalRequest, with fetcher: any OriginalFetching) {
    self.init(()) { teller in
      do throws(Failure) {
        let fetched = try await fetcher.fetch(request) { teller.yield(.progress($0)) }
        teller.yield(.fetched(fetched))
      } catch {
        teller.yield(.failed(error))
      }
    }
  }
}

/// The number of bytes of originals that one run may fetch for all of its feeds.
package final class TransferBudget: Sendable {
  private let left: Locked<Int?>

  /// Makes a budget of some bytes; nil for no limit.
  package init(bytes: Int?) { left = Locked(bytes) }

  /// Whether the budget is used up.
  package var isSpent: Bool { left.withLock { $0.map { $0 <= 0 } ?? false } }

  /// Reserves bytes that are about to be fetched.
  ///
  /// - Returns: False, without reserving any, when fewer are left.
  package func take(_ bytes: Int) -> Bool {
    left.withLock { left in
      guard let available = left else { return true }
      guard available >= bytes else { return false }
      left = available - bytes
      return true
    }
  }

  /// Returns bytes that were reserved but not fetched.
  package func giveBack(_ bytes: Int) {
    left.withLock { left in left = left.map { $0 + bytes } }
  }
}

/// Budgets are equal only if they are the same object, regardless of the bytes that are left.
extension TransferBudget: Equatable {
  package static func == (one: TransferBudget, other: TransferBudget) -> Bool { one === other }
}
