package import Workers

/// Pins nothing; notes what it is to pin, and knows every image but those of `missing`.
package final class PinningSpy: Pinning {
  package enum Event: Equatable, Sendable {
    case setPinned(Bool, imageIDs: [Int64])
  }

  package var events: [Event] { recorded.withLock { $0 } }
  private let recorded = Locked<[Event]>([])
  private let missing: Set<Int64>
  private let error: StoreError?

  package init(missing: Set<Int64> = [], error: StoreError? = nil) {
    self.missing = missing
    self.error = error
  }

  package func setPinned(_ isPinned: Bool, imageIDs: [Int64]) throws(StoreError) -> [Int64] {
    recorded.withLock { $0.append(.setPinned(isPinned, imageIDs: imageIDs)) }
    if let error { throw error }
    return imageIDs.filter { !missing.contains($0) }
  }
}
