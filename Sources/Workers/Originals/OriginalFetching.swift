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

  /// Brings an original that only the object store has back to this disk.
  ///
  /// Does nothing for any other original. If this fails, the original stays in the object store.
  func bringBack(imageID: Int64) async

  /// Makes and stores the thumbnail of an image whose feed names none, from its stored original.
  ///
  /// Does nothing when the image has a thumbnail, or when none can be made: the next sync tries again, and reports
  /// why it fails.
  func makeThumbnail(imageID: Int64) async
}

/// Which original is to be fetched, and how.
package struct OriginalRequest: Sendable, Equatable {
  /// Bytes of the largest original that is fetched.
  package static let mostBytes = 16 << 30

  package var imageID: Int64
  package var address: WebAddress
  /// The copy that a gallery has, which is fetched in the place of what is at the address; nil to fetch the latter.
  package var copy: OriginalCopy?
  /// To which addresses its transfers may connect.
  package var reach: NetworkReach
  /// The folder below which the file of a `file:` address must lie; nil refuses such addresses.
  package var fileFolder: String?
  /// What the bytes that are fetched are taken from; nil for as many as there are.
  package var budget: TransferBudget?
  /// Whether it leaves free what a sync leaves to others of the disk.
  package var keepsRoom: Bool
  /// Whether somebody waits for it; one that is fetched ahead takes only the place of older ones.
  package var isLookedAt = false
  /// As in `NetworkRequest`.
  package var feedKey: Int
  /// Whether the server is asked whether it has changed, even when a right one is stored.
  package var isCheck: Bool
  /// Since when the picture is likely to be what it is; nil when that is not known.
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

  /// The original of an image, with what its feed may refer to.
  package init(_ image: WebImage, isCheck: Bool = false) {
    self.init(
      imageID: image.id,
      address: image.originalAddress,
      reach: NetworkReach(image.feed.reach),
      fileFolder: image.feed.fileFolder,
      isCheck: isCheck,
      since: image.published ?? image.firstSeen
    )
    isLookedAt = true
  }
}

/// An original in another gallery, or in the library's object store.
package struct OriginalCopy: Sendable, Equatable {
  package var address: WebAddress
  /// What the library says of an original that is in its object store; nil for one in another gallery.
  package var stored: StoredOriginal?
  /// The hash that its bytes must have.
  package var hash: SHA256Digest
  /// To which addresses its transfers may connect.
  package var reach: NetworkReach

  /// The address without its query, which signs that of an object for a while.
  package var source: WebAddress {
    if stored == nil { return address }
    return WebAddress(String(address.text.prefix { $0 != "?" })) ?? address
  }

  package init(
    address: WebAddress,
    hash: SHA256Digest,
    reach: NetworkReach,
    stored: StoredOriginal? = nil
  ) {
    self.address = address
    self.stored = stored
    self.hash = hash
    self.reach = reach
  }
}

/// An original that was asked for and is stored now.
package struct FetchedOriginal: Sendable, Equatable {
  package var original: StoredOriginal
  /// Whether it was transferred now; not when someone else had just stored it, or the server said
  /// that the stored one is still right.
  package var wasDownloaded: Bool
  /// How many bytes of it were here already from an earlier try.
  package var resumedFrom: Int
  /// Whether the server was asked now, and still has what was stored before.
  package var isUnchanged: Bool
  /// Bytes that came over the wire.
  package var wireBytes: Int

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

/// How far the fetch of one original is.
package struct OriginalProgress: Sendable, Equatable {
  /// How many bytes are here.
  ///
  /// Each response begins with what is here before it: 0, or the bytes that it is the rest of.
  package var received: Int
  /// Of how many; nil while that is not known.
  package var total: Int?
  /// What has come: a file that grows, and has gone when the fetch ends; nil without bytes to
  /// look into.
  package var partial: PictureSource?

  package init(received: Int, total: Int?, partial: PictureSource? = nil) {
    self.received = received
    self.total = total
    self.partial = partial
  }
}

/// What a fetch of one original says while it runs; one of the last two cases ends it.
package enum OriginalEvent: Sendable, Equatable {
  case progress(OriginalProgress)
  case fetched(FetchedOriginal)
  case failed(Failure)
}

/// A fetch of one original that is under way; once it is stopped, it goes on to `failed`, unless it was done by then.
package typealias OriginalRun = FactRun<OriginalEvent, Void>

extension OriginalRun {
  /// Starts a fetch; it runs whether or not its events are read.
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

/// How many bytes of originals one run may fetch, over all of its feeds.
package final class TransferBudget: Sendable {
  private let left: Locked<Int?>

  /// Takes the bytes; nil for as many as there are.
  package init(bytes: Int?) { left = Locked(bytes) }

  /// Whether nothing more may be fetched.
  package var isSpent: Bool { left.withLock { $0.map { $0 <= 0 } ?? false } }

  /// Takes bytes that are about to be fetched.
  ///
  /// - Returns: false, and takes nothing, when fewer are left.
  package func take(_ bytes: Int) -> Bool {
    left.withLock { left in
      guard let available = left else { return true }
      guard available >= bytes else { return false }
      left = available - bytes
      return true
    }
  }

  /// Gives back bytes that were taken and not fetched.
  package func giveBack(_ bytes: Int) {
    left.withLock { left in left = left.map { $0 + bytes } }
  }
}

/// A budget is itself and no other, however much is left of it.
extension TransferBudget: Equatable {
  package static func == (one: TransferBudget, other: TransferBudget) -> Bool { one === other }
}
