/// Tells which feeds, images and pins of a library have changed since a state of it.
///
/// A library remembers the last change of each of them alone. See `Documentation/Store.md`.
package protocol ChangeReading: Sendable {
  /// The changes behind a position, in their order; empty when nothing has changed, or when there is no library.
  func changes(after position: ChangePosition, limit: Int) async throws(StoreError) -> [Change]
}

/// Marks images to be kept.
package protocol Pinning: Sendable {
  /// Pins images, or takes their pins away, in one transaction.
  ///
  /// - Returns: Those of the images that followed feeds have.
  /// - Throws: when the library cannot be written.
  func setPinned(_ isPinned: Bool, imageIDs: [Int64]) async throws(StoreError) -> [Int64]
}

extension Pinning {
  /// Pins an image, or takes the pin away.
  ///
  /// - Returns: Whether a followed feed has the image.
  /// - Throws: when the library cannot be written.
  package func setPinned(_ isPinned: Bool, imageID: Int64) async throws(StoreError) -> Bool {
    try await !setPinned(isPinned, imageIDs: [imageID]).isEmpty
  }
}

/// Whose change it is; the store keeps the raw value, by which the changes of one transaction are sorted.
package enum ChangedKind: Int, Sendable, CaseIterable {
  case feed = 0
  /// An image with its thumbnail, and with the state of its original.
  case image = 1
  /// The id is the image's.
  case pin = 2
}

/// A position in the order of changes.
package struct ChangePosition: Sendable, Equatable {
  /// The number of the transaction (`change_seq`).
  package var number: Int64
  package var kind: ChangedKind
  package var id: Int64

  package init(number: Int64, kind: ChangedKind, id: Int64) {
    self.number = number
    self.kind = kind
    self.id = id
  }

  /// In front of every change.
  package static let beginning = ChangePosition(number: 0, kind: .feed, id: 0)

  /// The highest id of a kind that does not come behind the position, among the changes with its number.
  ///
  /// An id of a lower kind comes before the position, whatever it is, and one of a higher kind behind it.
  package func lastID(of kind: ChangedKind) -> Int64 {
    kind == self.kind ? id : kind.rawValue < self.kind.rawValue ? .max : 0
  }
}

/// The last change of a feed, an image or a pin.
package struct Change: Sendable, Equatable {
  package var position: ChangePosition
  /// Whether it was removed or hidden, and left a tombstone.
  package var isRemoval: Bool

  package init(position: ChangePosition, isRemoval: Bool) {
    self.position = position
    self.isRemoval = isRemoval
  }
}
