import Composition
import Foundation
import Models
import Testing
import Web
import Workers

@testable import gallery_server

/// A server with pictures, which listens at a port until this is released.
final class ServedPictures: Sendable {
  static let admin = "Authorization: Bearer \(ServerBench.token)"

  let bench: ServerBench
  /// The paths of the thumbnails; no request for them starts the computation of colours, which changes the library.
  let paths: [String]
  private let wire: ServerWire

  init(_ settings: GalleryServer.Settings = .init()) async throws {
    bench = try await ServerBench(settings)
    let tiles = try await bench.root.library.tiles(ids: (1...12).map { Int64($0) })
    let hashes = tiles.compactMap(\.thumbnail)
    paths = try #require(hashes.isEmpty ? nil : hashes)
      .map { "\(settings.basePath)/t/\($0.hexadecimal)" }
    wire = try await ServerWire(bench)
  }

  deinit { wire.close() }

  /// The path of a thumbnail.
  var path: String { paths[0] }

  /// The number of answers that were sent again without the routes.
  var sent: Int { bench.server.kept.figures.sent }

  /// Talks to the server over one connection, which this closes at the end.
  func connect<Value: Sendable>(
    _ talk: @Sendable (ServerWire.Conversation) async throws -> Value
  ) async throws -> Value {
    try await wire.connect(talk)
  }

  private struct Missing: Error {}

  /// Stores an original, which is one that an event loop sends, or a longer one.
  func original(isLong: Bool = false) async throws -> StoredOriginal {
    for id in 1...12 {
      // The first answer has the bytes while they arrive, and the second one comes when they are stored.
      for _ in 1...2 { _ = try await bench.ask("/images/\(id)/original") }
      guard let original = try await bench.root.library.original(imageID: Int64(id)) else {
        continue
      }
      if (original.info.bytes > Limits.sentFileBytes) == isLong { return original }
    }
    throw Missing()
  }

  /// The path of an asset that is longer when it is not compressed.
  var asset: String {
    "\(bench.server.settings.basePath)/assets/\(bench.server.assets.hash)/app.css"
  }
}
