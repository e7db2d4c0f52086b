import Composition
import Hummingbird
import Models
import Web
import Workers

/// The looks at the part of the library that a token may see.
///
/// Lists have the part in their query. Everything else that a request names is looked up here first.
extension GalleryServer {
  /// For each picture that an image of the token's part has: such an image.
  ///
  /// A hash is no secret: it is public wherever the same picture is. So it grants nothing by itself.
  func visibleImages(
    withPictures hashes: [SHA256Digest],
    _ context: ServerContext
  ) async throws -> [SHA256Digest: Int64] {
    let found = try await root.library.imageIDs(withPictures: hashes)
    let ids = Set(found.values.joined())
    let part = try await root.timelines.buckets(of: ImageQuery(part: context.access.part)).ids
    let visible = Set(part.filter(ids.contains))
    return found.compactMapValues { $0.first(where: visible.contains) }
  }

  /// The hash in the path of a route; an image that the token may see has this picture.
  func visibleHash(in context: ServerContext) async throws -> SHA256Digest {
    let hash = try hash(in: context)
    if context.access.part.isWhole { return hash }
    let visible = try await visibleImages(withPictures: [hash], context)
    guard visible[hash] != nil else { throw Self.notFound }
    return hash
  }

  /// Rejects a feed without an image that the reader of a list may see; the answer would tell facts about the feed.
  func requireImages(of feedID: Int64, in list: ListAddress) async throws {
    if list.part.search == nil { return }
    let query = ImageQuery(feedID: feedID, limit: 1, part: list.part)
    guard try await !root.library.imageIDs(matching: query).isEmpty else { throw Self.notFound }
  }
}
