package import Models
package import Workers

/// How a use case ended; each medium tells it in its own way: an exit status, an HTTP status.
package enum Outcome: Sendable, Equatable {
  case done
  /// Nothing of the request could be done.
  case failed
  /// Something failed, or was found damaged; the rest is done.
  case partly
  /// There is no such image or feed.
  case notFound
  /// The picture is not available now.
  case unavailable
  /// The request makes no sense as it stands.
  case misused
  /// What the request is about has changed since.
  case outdated

  /// The outcome of two parts of one request.
  package func combined(with other: Outcome) -> Outcome {
    if self == other { return self }
    let both = [self, other]
    return both.contains(.done) || both.contains(.partly) ? .partly : self
  }
}

/// The use case of every scene that says why a request failed.
package enum Fail {
  package struct Response: Equatable {
    package var failure: RequestFailure

    package init(failure: RequestFailure) { self.failure = failure }
  }

  package struct ViewModel: Equatable {
    package var message: HintedText
    package var outcome: Outcome
    /// Whether trusting another certificate authority would help.
    package var isUntrusted = false

    package init(message: HintedText, outcome: Outcome, isUntrusted: Bool = false) {
      self.message = message
      self.outcome = outcome
      self.isUntrusted = isUntrusted
    }
  }
}

extension Fail.ViewModel {
  package init(_ response: Fail.Response) {
    self.init(message: Wording.message(response.failure), outcome: response.failure.outcome)
  }
}

/// Why a request failed: the facts, for the presenters of all scenes.
package enum RequestFailure: Error, Sendable, Equatable {
  /// What was to be done with the library.
  package enum Purpose: Sendable {
    case list
    case show
    case sync
    case remove
    case change
    case pin
    case verify
    case clean
    case export
    case move
  }

  /// No feed is followed yet, and the request names none.
  case noFeedKnown
  case noSuchFeed(FeedArgument)
  /// Several feeds have the title by which the request names one.
  case ambiguousTitle([Feed])
  /// Several manifests have the label by which the request names one.
  case ambiguousManifest([WebAddress])
  case noSuchImage(id: Int64, Purpose = .show)
  /// The request names a page that no list has: its cursor is malformed.
  case noSuchPage
  /// A list has no bucket of this index.
  case noSuchBucket
  /// The list is no longer the one of which the request names a bucket.
  case listHasChanged
  /// A feed's address is of a kind that cannot be synced.
  case unusableAddress(WebAddress)
  case library(StoreError, Purpose)
  case export(ExportError)
  case site(SiteExportError)
  /// None is stored, or the stored one is damaged.
  case noThumbnail(imageID: Int64, isDamaged: Bool = false)
  /// The original is stored, but no other program was given it.
  case opening(OpeningError, imageID: Int64)

  package var outcome: Outcome {
    switch self {
    case .noFeedKnown, .unusableAddress, .ambiguousTitle, .ambiguousManifest, .noSuchPage: .misused
    case .noSuchFeed, .noSuchImage, .noSuchBucket: .notFound
    case .listHasChanged: .outdated
    case .library(let error, let purpose): Self.outcome(of: error, purpose)
    case .export(.damaged), .noThumbnail: .unavailable
    case .export, .opening, .site: .failed
    }
  }

  private static func outcome(of error: StoreError, _ purpose: Purpose) -> Outcome {
    switch (error.reason, purpose) {
    case (.noLibrary, .list), (.noLibrary, .verify), (.noLibrary, .clean): .done
    case (.noLibrary, .show), (.noLibrary, .remove), (.noLibrary, .change),
      (.noLibrary, .pin):
      .notFound
    case (.nothingToSearch, .list): .done
    case (.objectsUnreachable, .show): .unavailable
    case (_, .verify), (_, .clean), (_, .export), (_, .move): .failed
    default: error.isOfRequest ? .misused : .failed
    }
  }
}

extension FeedArgument {
  /// The one feed that the argument names, of those that are followed.
  func feed(of feeds: [Feed]) throws(RequestFailure) -> Feed {
    let meant = meant(of: feeds)
    guard let feed = meant.first else { throw .noSuchFeed(self) }
    guard meant.count == 1 else { throw .ambiguousTitle(meant) }
    return feed
  }
}

extension LibraryReading {
  /// The feeds that are followed, for a request with a purpose.
  func feeds(for purpose: RequestFailure.Purpose) async throws(RequestFailure) -> [Feed] {
    do {
      return try await feeds()
    } catch {
      throw .library(error, purpose)
    }
  }

  /// Narrows a query to a feed, or else to a manifest, by its address or its label where only one has it.
  func narrow(
    _ query: inout ImageQuery,
    to argument: FeedArgument,
    for purpose: RequestFailure.Purpose
  ) async throws(RequestFailure) {
    do throws(RequestFailure) {
      let feed = try argument.feed(of: await feeds(for: purpose))
      if feed.isList { query.listID = feed.id } else { query.feedID = feed.id }
    } catch .noSuchFeed(let name) {
      let found = try await manifests(named: name, for: purpose)
      guard let manifest = found.first else { throw .noSuchFeed(name) }
      guard found.count == 1 else { throw .ambiguousManifest(found.map(\.address)) }
      query.manifestID = manifest.id
    }
  }

  private func manifests(
    named argument: FeedArgument,
    for purpose: RequestFailure.Purpose
  ) async throws(RequestFailure) -> [FeedManifest] {
    do {
      switch argument {
      case .address(let address): return try await manifests(at: address)
      case .name(let name):
        let label = name.text.lowercased()
        return try await manifests(at: nil).filter { $0.label?.lowercased() == label }
      case .id, .pipe, .unusable: return []
      }
    } catch {
      throw .library(error, purpose)
    }
  }
}
