public import FoundationEssentials
internal import Models
package import Scenes
package import Workers

/// The reason why a library, a server or the decoder did not do what was asked.
public struct LibraryError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
  /// The kind of the reason, for programs that handle some of them.
  public let kind: Kind
  /// The reason in English, as part of a sentence, without secrets of addresses: "the server refuses connections".
  ///
  /// It may have texts of servers and files, which are not made harmless for terminals or markup.
  public let description: String

  /// The ``description``, for programs that show any error by its `localizedDescription`.
  public var errorDescription: String? { description }

  /// The kinds of reasons; later versions may have more, so a `switch` over them needs a `default`.
  public enum Kind: Sendable, Hashable {
    // The request

    /// No feed has this id, address or title.
    case noSuchFeed
    /// Several feeds have this title.
    case ambiguousTitle
    /// No followed feed has this image.
    case noSuchImage
    /// The text names no feed and no place of a library.
    ///
    /// A feed: it is empty, a pipe, mistyped, of a kind that is never fetched, or that of another feed. A place: it is
    /// empty, a part of its path is not a folder, or PostgreSQL's library cannot read the address.
    case unusableAddress
    /// The search has more words than the limit, which the description names.
    case unusableSearch
    /// The end of a page of images or of changes is not one of this library.
    case unusableCursor
    /// Changes behind this cursor are missing: the copy has to start again, without a cursor.
    case outdatedCursor

    // The library

    /// The library does not exist yet; the first sync makes it.
    case noLibrary
    /// The library is damaged, or the database at its place is that of another program.
    case damagedLibrary
    /// Another version of the program made the library.
    case otherVersion
    /// The library is a backup, to which only `gallery backup` writes.
    case backup
    /// The library may not be read or written.
    case forbidden
    /// The disk is full, or has only the space that has to stay free.
    case noSpace
    /// Originals have reached their bounds, and none can give way.
    case bounded
    /// Another process has held the library, or the feed, for too long.
    case busy
    /// The server of the database or of the object store cannot be used.
    case storeUnreachable

    // Servers and documents

    /// The server cannot be reached, the transfer failed, or the file at a path cannot be read.
    case network
    /// The address is private, and the feed may not lead there.
    case privateAddress
    /// The server answered with this status (RFC 9110, section 15).
    case status(Int)
    /// The document is not a feed or is damaged beyond reading, or the folder has no pictures.
    case unreadableDocument
    /// A limit for documents, images or transfers is reached.
    case limitExceeded
    /// What came is not a picture, or not a whole one, or may not be the same picture as before.
    case unusablePicture

    // The decoder

    /// The program `gallery-decoder` is at none of these paths.
    case noDecoder(lookedAt: [String])
    /// The decoder cannot decode this picture, or cannot be started.
    case undecodable

    /// The task was cancelled, or the library was closed meanwhile.
    case cancelled
    /// The library was closed before.
    case closed
    /// Any other reason; see ``LibraryError/description``.
    case other
  }

  init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }

  static let closed = LibraryError(.closed, "the library is closed")

  static let cancelled = LibraryError(.cancelled, Wording.reason(Failure.interrupted))

  package init(_ failure: RequestFailure) {
    if case .library(let error, _) = failure {
      self.init(error)
    } else {
      self.init(Self.kind(failure), Wording.message(failure).withoutHints)
    }
  }

  init(_ error: StoreError) { self.init(Failure.store(error)) }

  package init(_ failure: Failure) {
    let kind: Kind = failure.isCancellation ? .cancelled : Self.kind(failure)
    self.init(kind, Wording.reason(failure))
  }

  private static func kind(_ failure: RequestFailure) -> Kind {
    switch failure {
    case .noSuchFeed, .noFeedKnown, .titleOfSeveral: .noSuchFeed
    case .ambiguousTitle, .titleAndPath, .ambiguousManifest: .ambiguousTitle
    case .noSuchImage, .noSuchImages, .noImageSelected: .noSuchImage
    case .noSuchPage: .unusableCursor
    case .unusableAddress, .mistypedAddress, .notTakenOver: .unusableAddress
    case .library(let error, _): kind(error)
    case .noThumbnail, .noNewer: .unusablePicture
    case .damagedLibrary: .damagedLibrary
    case .damagedBackup: .backup
    case .noSuchBucket, .listHasChanged, .export, .site, .opening: .other
    }
  }

  private static func kind(_ failure: Failure) -> Kind {
    switch failure {
    case .network(let error): kind(error)
    case .status(let status): .status(status)
    case .gone: .status(410)
    case .feed(let error): kind(error)
    case .store(let error): kind(error)
    case .imaging(.noDecoder(let paths)): .noDecoder(lookedAt: paths)
    case .imaging(.notAPicture), .notAPicture, .doubtfulSuccessor, .cutPicture: .unusablePicture
    case .imaging: .undecodable
    case .flaw: .unreadableDocument
    case .addressTaken: .unusableAddress
    case .locked: .busy
    case .notFollowed: .noSuchImage
    case .overBudget: .limitExceeded
    case .interrupted: .cancelled
    case .offline: .other
    }
  }

  private static func kind(_ error: NetworkError) -> Kind {
    switch error.reason {
    case .cancelled: .cancelled
    case .privateAddress, .forbiddenAddress: .privateAddress
    case .refused: .unusableAddress
    case .tooLarge: .limitExceeded
    case .proxyLogin: .status(407)
    case .unreachable, .timedOut, .tooSlow, .broken, .insecure, .untrusted, .paused,
      .tooManyRedirects, .unreadableFile, .other:
      .network
    }
  }

  private static func kind(_ error: FeedError) -> Kind {
    switch error {
    case .beyondLimit, .beyondBound, .listedBeyondBound: .limitExceeded
    case .notAFeed, .replaced, .otherFolder, .malformed, .gallery, .emptyFolder:
      .unreadableDocument
    }
  }

  private static func kind(_ error: StoreError) -> Kind {
    switch error.reason {
    case .noLibrary: .noLibrary
    case .unusablePlace: .unusableAddress
    case .newer, .older: .otherVersion
    case .lostDatabase, .foreign, .otherFiles, .unreadable, .unsound, .linked, .unfinishedCopy,
      .unusableKey:
      .damagedLibrary
    case .forbidden, .unfinishedLog, .readOnly: .forbidden
    case .full, .reserved: .noSpace
    case .bounded, .tooLarge, .noFreeRoom: .bounded
    case .busy: .busy
    case .databaseUnreachable, .objectsUnreachable, .objectsRefused, .objectsRefusedClock,
      .noCredentials:
      .storeUnreachable
    case .backup: .backup
    case .tooManyWords, .nothingToSearch: .unusableSearch
    case .otherLibrary, .ignoredConditions, .otherObjects, .occupied, .changedSince, .notBackup,
      .backupGone, .removals, .notEmpty, .trashElsewhere, .other:
      .other
    }
  }
}
