package import Models

/// The images of a part of the library, in one version of it.
package struct PartImages: Sendable, Equatable {
  /// The ids in ascending order.
  package let ids: [Int64]
  package let held: HeldImages

  package init(_ ids: [Int64]) {
    self.ids = ids.sorted()
    held = HeldImages(ids)
  }

  /// Whether an image is in the part, by a binary search.
  func contains(_ id: Int64) -> Bool {
    var range = ids.indices
    while let first = range.first {
      let middle = first + range.count / 2
      if ids[middle] == id { return true }
      range = ids[middle] < id ? middle + 1..<range.upperBound : first..<middle
    }
    return false
  }
}

/// Keeps the images of the parts that clients asked for last.
///
/// Each page of changes needs all images of its part, and most pages are of the same version of the library as the page
/// before.
package final class PartCache: Sendable {
  private static let most = 4

  private struct State {
    var version: LibraryVersion?
    var parts: [LibraryPart: PartImages] = [:]
  }

  private let state = Locked(State())

  package init() {}

  /// The images of a part; nil for the whole library.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - version: The version of the library in the current transaction.
  ///   - read: Reads the ids of the images.
  /// - Returns: The images.
  package func images(
    of part: LibraryPart,
    in version: LibraryVersion,
    _ read: () throws -> [Int64]
  ) rethrows -> PartImages? {
    if part.isWhole { return nil }
    let known = state.withLock { $0.version == version ? $0.parts[part] : nil }
    if let known { return known }
    let images = PartImages(try read())
    state.withLock { state in
      if state.version != version || state.parts.count >= Self.most {
        state = State(version: version)
      }
      state.parts[part] = images
    }
    return images
  }
}
