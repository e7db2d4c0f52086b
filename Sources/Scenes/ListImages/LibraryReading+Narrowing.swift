import Models
import Workers

extension LibraryReading {
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
