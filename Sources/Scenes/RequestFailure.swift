package import Models
package import Workers

/// Why a request came to nothing: the facts, for every scene's presenter.
package enum RequestFailure: Error, Sendable, Equatable {
  /// What was to be done with the library.
  package enum Purpose: Sendable {
    case list
    case show
    case sync
    case remove
    case name
    case verify
    case clean
  }

  /// No feed is followed yet, and none was named.
  case noFeedKnown
  case noSuchFeed(FeedArgument)
  /// Several feeds have the title that one was named by.
  case ambiguousTitle([Feed])
  /// Several manifests have the label that was given.
  case ambiguousManifest([WebAddress])
  case noSuchImage(id: Int64)
  /// A feed's address is of a kind that cannot be synced.
  case unusableAddress(WebAddress)
  case library(StoreError, Purpose)
  case export(ExportError)
  /// None is stored, or none that is what was stored.
  case noThumbnail(imageID: Int64, isDamaged: Bool = false)
  /// The original is stored, but no other program was given it.
  case opening(OpeningError, imageID: Int64)

  /// What it comes to for whoever asked.
  package var outcome: Outcome {
    switch self {
    case .noFeedKnown, .unusableAddress, .ambiguousTitle, .ambiguousManifest: .misused
    case .noSuchFeed, .noSuchImage: .notFound
    case .library(let error, .list) where error.reason == .noLibrary: .done
    case .library(let error, .list) where error.reason == .nothingToSearch: .done
    case .library(let error, .verify), .library(let error, .clean):
      error.reason == .noLibrary ? .done : .failed
    case .library(let error, .show) where error.reason == .noLibrary: .notFound
    case .library(let error, .remove) where error.reason == .noLibrary: .notFound
    case .library(let error, .name) where error.reason == .noLibrary: .notFound
    case .library(let error, _) where error.isOfRequest: .misused
    case .export(.damaged): .unavailable
    case .library, .export, .opening: .failed
    case .noThumbnail: .unavailable
    }
  }
}

extension FeedArgument {
  /// The one feed that is meant of those that are followed.
  func feed(of feeds: [Feed]) throws(RequestFailure) -> Feed {
    let meant = meant(of: feeds)
    guard let feed = meant.first else { throw .noSuchFeed(self) }
    guard meant.count == 1 else { throw .ambiguousTitle(meant) }
    return feed
  }
}
