import Composition
import HTTPTypes
import Hummingbird
import Models
import Scenes
import Web
import Workers

/// Every list as a feed: JSON Feed, Media RSS, Atom, or a IIIF manifest.
extension GalleryServer {
  func addFeedDocuments(to routes: Routes) {
    for kind in PublishedFeedKind.allCases where kind != .iiif {
      for name in ["images", "search"] {
        routes.get(RouterPath("/\(name).\(kind.rawValue)")) { request, context in
          try await document(kind, request, context)
        }
      }
      // A component of a route's path is a parameter as a whole, or with a suffix.
      routes.get(RouterPath("/feeds/{id}.\(kind.rawValue)")) { request, context in
        try await document(kind, request, context, feedID: id(in: context))
      }
    }
    for name in ["images", "search"] {
      routes.get(RouterPath("/iiif/\(name)/manifest.json")) { request, context in
        try await document(.iiif, request, context)
      }
    }
    routes.get("/iiif/feeds/:id/manifest.json") { request, context in
      try await document(.iiif, request, context, feedID: id(in: context))
    }
  }

  private func document(
    _ kind: PublishedFeedKind,
    _ request: Request,
    _ context: ServerContext,
    feedID: Int64? = nil
  ) async throws -> Response {
    let list = try list(of: request, context, feedID: feedID)
    var published = site(for: context)
    published.basePath = context.reach.publishedPath
    let facts = try await facts(of: list, context)
    let document = PublishedFeed(list, facts, on: published)
    await root.listImages(presenter: ListImagesJSONPresenter(display: document))
      .fetchImages(request: fetch(list, limit: Limits.imagesPerFeed))
    if let failure = document.failure, failure.outcome != .done { throw WebProblem(failure) }
    let ids = document.imageIDs
    if !ids.isEmpty {
      // The first feed has come meanwhile, and its images need the UUID of the library.
      if facts.library.isEmpty {
        return try await self.document(kind, request, context, feedID: feedID)
      }
      document.add(try await root.library.states(ids: ids))
    }
    var response = try answer(document.bytes(as: kind), for: request, type: kind.mediaType)
    // A manifest can name its next page only in the header (RFC 8288).
    if let next = document.nextPage(as: kind) {
      response.headers[.link] = "<\(next)>; rel=\"next\""
    }
    return response
  }

  private func facts(
    of list: ListAddress,
    _ context: ServerContext
  ) async throws -> PublishedFeed.Facts {
    var title = list.search.map { "Search for \($0)" } ?? settings.title ?? "Gallery"
    if let feedID = list.feedID {
      try await requireImages(of: feedID, in: list)
      guard let feed = try await root.library.feeds().first(where: { $0.id == feedID }) else {
        throw Self.notFound
      }
      title = feed.publishedName
    }
    return PublishedFeed.Facts(
      title: title,
      origin: context.reach.origin,
      library: try await libraryID(),
      token: token(for: list, context)
    )
  }

  /// The UUID of the library; empty before its first feed, when there is no image to name with it.
  private func libraryID() async throws -> String {
    do throws(StoreError) {
      return try await root.library.version().library
    } catch  where error.reason == .noLibrary {
      return ""
    }
  }

  /// The token in the addresses of a list that was asked for with a token in its address; nil without one.
  private func token(for list: ListAddress, _ context: ServerContext) -> String? {
    guard let parent = context.addressParent else { return context.feedToken }
    // A search for all words of both is the part of the list that the token may see.
    let words = [list.part.search, list.search].compactMap { $0 }
    return feedTokens.token(
      for: LibraryPart(
        feedID: list.feedID,
        search: words.isEmpty ? nil : words.joined(separator: " ")
      ),
      parent: parent
    )
  }
}
