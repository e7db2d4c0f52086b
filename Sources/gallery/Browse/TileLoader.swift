import Scenes
import Terminal

/// Decodes the pictures of tiles in the background: first those on the screen, then those that are likely to follow.
///
/// A picture that is no longer wanted is not decoded.
final class TileLoader {
  /// The number of concurrent reads and decodings, so large that decoders do not wait for a read.
  private static let atOnce = 4

  private let decode: @Sendable (BrowseDrawing.TileKey) async -> Picture?
  private let send: @Sendable (BrowseEvent) -> Void
  private var running: [BrowseDrawing.TileKey: Task<Void, Never>] = [:]
  private var waiting: [BrowseDrawing.TileKey] = []

  init(
    _ decode: @escaping @Sendable (BrowseDrawing.TileKey) async -> Picture?,
    _ send: @escaping @Sendable (BrowseEvent) -> Void
  ) {
    self.decode = decode
    self.send = send
  }

  /// Requests pictures that are needed, the most urgent first.
  func want(_ keys: [BrowseDrawing.TileKey]) {
    let wanted = Set(keys)
    for (key, task) in running where !wanted.contains(key) {
      task.cancel()
      running[key] = nil
    }
    waiting = keys.filter { running[$0] == nil }
    begin()
  }

  /// Records that a picture was loaded.
  func finish(_ key: BrowseDrawing.TileKey) {
    running[key] = nil
    begin()
  }

  func stop() { want([]) }

  private func begin() {
    while running.count < Self.atOnce, !waiting.isEmpty {
      let key = waiting.removeFirst()
      running[key] = Task { [decode, send] in
        let picture = await decode(key)
        if !Task.isCancelled { send(.decoded(picture, for: key)) }
      }
    }
  }
}
