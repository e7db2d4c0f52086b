package import Models
package import Workers

/// The outcome of a use case, which each medium reports in its own way, such as an exit status or an HTTP status.
package enum Outcome: Sendable, Equatable {
  case done
  /// The whole request failed.
  case failed
  /// A part of the request failed, or found damage; the rest is done.
  case partly
  /// The image or feed does not exist.
  case notFound
  /// The picture is not available now.
  case unavailable
  /// The request itself is invalid.
  case misused
  /// The request refers to a list that has changed since.
  case outdated

  /// Combines the outcomes of two parts of one request.
  package func combined(with other: Outcome) -> Outcome {
    if self == other { return self }
    let both = [self, other]
    return both.contains(.done) || both.contains(.partly) ? .partly : self
  }
}

/// The use case that reports why a request failed, which all scenes share.
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
    /// Whether the library failed, so that the message may name its files, its database or its object store.
    package var isOfLibrary = false

    package init(
      message: HintedText,
      outcome: Outcome,
      isUntrusted: Bool = false,
      isOfLibrary: Bool = false
    ) {
      self.message = message
      self.outcome = outcome
      self.isUntrusted = isUntrusted
      self.isOfLibrary = isOfLibrary
    }
  }
}

extension Fail.ViewModel {
  package init(_ response: Fail.Response) {
    self.init(
      message: Wording.message(response.failure),
      outcome: response.failure.outcome,
      isOfLibrary: response.failure.isOfLibrary
    )
  }
}

/// The reason why a request failed, as facts for the presenters of all scenes.
package enum RequestFailure: Error, Sendable, Equatable {
  /// The purpose for which a request uses the library.
  package enum Purpose: Sendable {
    case list
    case show
    case sync
    case remove
    case change
    case pin
    case unpin
    case take
    case verify
    case clean
    case export
    case move
    case backup
    case restore
    case recover
    case serve
  }

  /// The request names no feed, and the library does not follow any yet.
  case noFeedKnown
  case noSuchFeed(FeedArgument)
  /// The request gives the feeds of a range of ids one title.
  case titleOfSeveral(FeedArgument)
  /// The request names a feed by a title that several feeds have.
  case ambiguousTitle([Feed])
  /// The request names a feed by a word that is a feed's title and also a path; with the feeds that it may mean.
  case titleAndPath(FeedName, [Feed])
  /// The request names a manifest by a label that several manifests have.
  case ambiguousManifest([WebAddress])
  case noSuchImage(id: Int64, Purpose = .show)
  /// No image has an id in a range.
  case noSuchImages(ids: ClosedRange<Int64>, Purpose = .show)
  /// No image was passed to the scene that shows one.
  case noImageSelected
  /// The request's cursor is malformed, so it names no page.
  case noSuchPage
  /// The list has no bucket at the requested index.
  case noSuchBucket
  /// The list has changed since the version that the request names.
  case listHasChanged
  /// The address of a feed has a scheme that cannot be synced.
  case unusableAddress(WebAddress)
  /// The address of a feed has a mistake before its host.
  case mistypedAddress(MistypedAddress)
  /// A feed cannot take the place of a followed one, the former.
  case notTakenOver(former: WebAddress, by: WebAddress, TakeOverProblem)
  case library(StoreError, Purpose)
  /// The database of the library is damaged, so that it cannot be backed up or verified; with the place of a backup, which
  /// is sound if the library was to be backed up.
  case damagedLibrary(StoreError, Purpose, backup: String?)
  /// The database of a backup is damaged, so that it cannot be brought up to date; another one begins there only if the
  /// library knows that the backup is its own.
  case damagedBackup(StoreError, isKnown: Bool)
  case export(ExportError)
  case site(SiteExportError)
  /// The thumbnail is missing, or damaged.
  case noThumbnail(imageID: Int64, isDamaged: Bool = false)
  /// No newer picture is kept beside the stored ones.
  case noNewer(imageID: Int64)
  /// The original is stored, but no other program was started to open it.
  case opening(OpeningError, imageID: Int64)

  package var outcome: Outcome {
    switch self {
    case .noFeedKnown, .titleOfSeveral, .unusableAddress, .mistypedAddress, .notTakenOver,
      .ambiguousTitle, .titleAndPath, .ambiguousManifest, .noSuchPage:
      .misused
    case .noSuchFeed, .noSuchImage, .noSuchImages, .noNewer, .noImageSelected, .noSuchBucket:
      .notFound
    case .listHasChanged: .outdated
    case .library(let error, let purpose): Self.outcome(of: error, purpose)
    case .export(.damaged), .noThumbnail: .unavailable
    case .export, .opening, .site, .damagedLibrary, .damagedBackup: .failed
    }
  }

  fileprivate var isOfLibrary: Bool {
    switch self {
    case .library(let error, _): !error.isOfRequest
    case .damagedLibrary, .damagedBackup, .export, .site, .opening: true
    default: false
    }
  }

  private static func outcome(of error: StoreError, _ purpose: Purpose) -> Outcome {
    switch (error.reason, purpose) {
    case (.noLibrary, .list), (.noLibrary, .verify), (.noLibrary, .clean): .done
    case (.noLibrary, .show), (.noLibrary, .remove), (.noLibrary, .change),
      (.noLibrary, .pin), (.noLibrary, .unpin), (.noLibrary, .take):
      .notFound
    case (.nothingToSearch, .list): .done
    case (.objectsUnreachable, .show): .unavailable
    case (_, .verify), (_, .clean), (_, .export), (_, .move), (_, .backup), (_, .restore): .failed
    default: error.isOfRequest ? .misused : .failed
    }
  }
}

extension FeedArgument {
  /// The followed feed that the argument names.
  func feed(of feeds: [Feed]) throws(RequestFailure) -> Feed {
    let meant = meant(of: feeds)
    guard let feed = meant.first else { throw .noSuchFeed(self) }
    guard meant.count > 1 else { return feed }
    guard case .name(let name) = self, meant.contains(where: name.isPath),
      !meant.allSatisfy(name.isPath)
    else { throw .ambiguousTitle(meant) }
    throw .titleAndPath(name, meant)
  }
}

extension LibraryReading {
  /// The followed feeds; an error names the purpose of the request.
  func feeds(for purpose: RequestFailure.Purpose) async throws(RequestFailure) -> [Feed] {
    do {
      return try await feeds()
    } catch {
      throw .library(error, purpose)
    }
  }

  /// Narrows a query to a feed, or if no feed has the name, to the only manifest with that address or label.
  package func narrow(
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

  /// The number of images that match a query, if it skips them all; nil if it skips none, or if none matches.
  func skipped(by query: ImageQuery) async throws(StoreError) -> Int? {
    if query.offset == 0 { return nil }
    var whole = query
    (whole.offset, whole.limit) = (0, nil)
    let count = try await imageIDs(matching: whole).count
    return count > 0 ? count : nil
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
      case .id, .pipe, .unusable, .mistyped: return []
      }
    } catch {
      throw .library(error, purpose)
    }
  }
}
