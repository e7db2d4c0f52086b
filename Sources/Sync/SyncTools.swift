package import FoundationEssentials
package import Models
package import Workers

/// The workers and functions that a sync uses.
package struct SyncTools: Sendable {
  package var network: any Networking
  package var formats: any FeedReading
  package var store: any SyncStoring
  /// Keeps copies of other galleries; nil to mirror no gallery.
  package var mirrors: (any MirrorStoring)?
  package var originals: any OriginalFetching
  /// The originals in the library's object store; nil without one.
  package var objects: ObjectOriginals?
  /// Makes thumbnails; if nil, large thumbnails are stored as they came, and originals give no thumbnails.
  package var imaging: (any ImageDecoding)?
  /// Gives thumbnails their colours; nil to leave them without colours.
  package var colours: ColourFiller?
  /// Reads what cameras have written into the files of folders; nil to read nothing of it.
  package var details: DetailsReader?
  /// Reads the folders that are feeds; nil to follow no folder.
  package var pictureFolders: (any PictureFolderReading)?
  /// Makes a watch of folders, which calls the closure with each that has changed; nil to watch no folder.
  package var watchFolders:
    (@Sendable (_ whenChanged: @escaping @Sendable (WebAddress) -> Void) -> any FolderWatching)?
  /// The folders to which a sync exports; nil without such folders.
  package var folders: FollowedFolders?
  /// SHA-256 of bytes as the store writes it, in lower-case hexadecimal digits.
  package var sha256: @Sendable ([UInt8]) throws(StoreError) -> String
  /// Checks the signatures of other galleries; nil to treat all galleries as ones that do not sign.
  package var signatures: (any SignedDocumentChecking)?
  /// Puts a failure into words, for the library to remember.
  package var wording: @Sendable (Failure) -> String
  /// The reader's language (RFC 5646), for requests of documents in several languages; nil to name none.
  package var language: String?
  /// Measures where the time is spent; nil to measure nothing.
  package var stopwatch: Stopwatch?
  package var now: @Sendable () -> Date
  /// Waits for a duration; throws when the task is cancelled.
  package var pause: @Sendable (Duration) async throws -> Void

  package init(
    network: any Networking,
    formats: any FeedReading,
    store: any SyncStoring,
    mirrors: (any MirrorStoring)? = nil,
    originals: any OriginalFetching,
    objects: ObjectOriginals? = nil,
    imaging: (any ImageDecoding)? = nil,
    colours: ColourFiller? = nil,
    pictureFolders: (any PictureFolderReading)? = nil,
    folders: FollowedFolders? = nil,
    sha256: @escaping @Sendable ([UInt8]) throws(StoreError) -> String,
    signatures: (any SignedDocumentChecking)? = nil,
    wording: @escaping @Sendable (Failure) -> String,
    stopwatch: Stopwatch? = nil,
    now: @escaping @Sendable () -> Date,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.network = network
    self.formats = formats
    self.store = store
    self.mirrors = mirrors
    self.originals = originals
    self.objects = objects
    self.imaging = imaging
    self.colours = colours
    self.pictureFolders = pictureFolders
    self.folders = folders
    self.sha256 = sha256
    self.signatures = signatures
    self.wording = wording
    self.stopwatch = stopwatch
    self.now = now
    self.pause = pause
  }
}

extension SyncTools {
  /// The feed that is followed under an address, its current or a former one; nil if there is no such feed or no
  /// library.
  func knownFeed(at address: WebAddress) async throws(Failure) -> Feed? {
    try await Failure.ofStore(await store.feed(at: address), withoutLibrary: nil)
  }

  /// SHA-256 of bytes, in lower-case hexadecimal digits.
  func hash(of bytes: [UInt8]) throws(Failure) -> String {
    do { return try sha256(bytes) } catch { throw .store(error) }
  }
}

/// Everything that a sync reads from a store, and writes to it.
package typealias SyncStoring = FeedStoring & DocumentStoring & PictureStoring & LibraryReading

extension SyncProblem {
  /// A missing decoder, as a problem of a feed.
  static func noDecoder(_ error: ImagingError, for feed: Feed) -> SyncProblem {
    SyncProblem(subject: .making, address: feed.address, failure: .imaging(error))
  }

  /// An error of the store, as a problem of a feed.
  static func store(_ error: StoreError, of feed: Feed) -> SyncProblem {
    SyncProblem(subject: .feed, address: feed.address, failure: .store(error))
  }
}
