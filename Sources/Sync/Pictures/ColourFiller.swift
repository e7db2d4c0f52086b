import Models
package import Workers

/// Gives stored thumbnails their colours, those of the newest images first.
///
/// It does not run while thumbnails arrive, because decoding one takes longer than fetching it from a server nearby.
package struct ColourFiller: Sendable {
  package typealias Library = PictureStoring & LibraryReading

  /// Thumbnails whose colours are stored in one transaction.
  private static let batch = 32

  private let library: any Library
  private let renderer: any PictureRendering

  package init(library: any Library, renderer: any PictureRendering) {
    self.library = library
    self.renderer = renderer
  }

  /// Continues until every thumbnail has its colours.
  ///
  /// - Parameters:
  ///   - atOnce: The number of thumbnails that are decoded at the same time.
  ///   - goesOn: Called before each batch; stops by returning false.
  /// - Throws: when the library or the decoder fails, and when the task is cancelled.
  package func fill(atOnce: Int, while goesOn: () async -> Bool) async throws(Failure) {
    while await goesOn() {
      let hashes = try await Failure.ofStore(
        await library.thumbnailsWithoutColours(limit: Self.batch)
      )
      if hashes.isEmpty { return }
      let found = try await colours(of: Array(Set(hashes)), atOnce)
      try await Failure.ofStore(await library.store(colours: found))
    }
  }

  private typealias Colours = [SHA256Digest: [UInt8]]

  private func colours(
    of hashes: [SHA256Digest],
    _ atOnce: Int
  ) async throws(Failure) -> Colours {
    let shares = (0..<min(atOnce, hashes.count)).map { first in
      stride(from: first, to: hashes.count, by: atOnce).map { hashes[$0] }
    }
    let found = try await shares.mapConcurrently { share throws(Failure) in
      try await colours(of: share)
    }
    return found.reduce(into: Colours()) { $0.merge($1) { $1 } }
  }

  private func colours(of hashes: [SHA256Digest]) async throws(Failure) -> Colours {
    var found = Colours()
    for hash in hashes { found[hash] = try await colours(of: hash) }
    return found
  }

  /// The colours of a thumbnail; empty when it is damaged or cannot be decoded.
  private func colours(of hash: SHA256Digest) async throws(Failure) -> [UInt8] {
    guard let picture = try await Failure.ofStore(await library.thumbnail(hash)) else { return [] }
    do throws(ImagingError) {
      return try await renderer.colourGrid(of: .bytes(picture.bytes))
    } catch  where error.isOfDecoder || error == .cancelled {
      throw .imaging(error)
    } catch {
      return []
    }
  }
}
