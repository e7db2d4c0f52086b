package import FoundationEssentials
package import Models

/// Hashes of a library's images, by feed and month, with which a client finds the differences to its copy.
///
/// A hash covers the ids of images and their change numbers, so a client can compute the hashes of its own copy. See
/// `Documentation/Changes.md`.
package struct LibraryTree: Sendable, Equatable {
  /// The state of the library from which the tree was made.
  package var version: LibraryVersion
  package var hash: SHA256Digest
  /// The feeds, by id.
  package var feeds: [Feed]
  /// The pins, by the ids of their images.
  package var pins: [Pin]

  package init(version: LibraryVersion, hash: SHA256Digest, feeds: [Feed], pins: [Pin]) {
    self.version = version
    self.hash = hash
    self.feeds = feeds
    self.pins = pins
  }

  package struct Feed: Sendable, Equatable {
    package var id: Int64
    /// The feed's own change number.
    package var number: Int64
    package var hash: SHA256Digest
    package var images: Int
    /// The months, in order.
    package var months: [Month]

    package init(id: Int64, number: Int64, hash: SHA256Digest, images: Int, months: [Month]) {
      self.id = id
      self.number = number
      self.hash = hash
      self.images = images
      self.months = months
    }
  }

  package struct Month: Sendable, Equatable {
    /// The months from January of the year 0 to the date by which `newest` sorts, in UTC.
    package var month: Int
    package var hash: SHA256Digest
    package var images: Int
    /// The leaves, by id.
    package var leaves: [Leaf]

    package init(month: Int, hash: SHA256Digest, images: Int, leaves: [Leaf]) {
      self.month = month
      self.hash = hash
      self.images = images
      self.leaves = leaves
    }
  }

  /// The images of a month whose ids are in a range; the ranges of a month together cover all ids.
  package struct Leaf: Sendable, Equatable {
    package var hash: SHA256Digest
    package var images: Int
    package var ids: ClosedRange<Int64>

    package init(hash: SHA256Digest, images: Int, ids: ClosedRange<Int64>) {
      self.hash = hash
      self.images = images
      self.ids = ids
    }
  }

  package struct Pin: Sendable, Equatable {
    package var imageID: Int64
    /// The change number of the pin.
    package var number: Int64
    package var date: Date

    package init(imageID: Int64, number: Int64, date: Date) {
      self.imageID = imageID
      self.number = number
      self.date = date
    }
  }
}

extension LibraryTree {
  /// The most images in a leaf.
  package static let imagesPerLeaf = 2_000
  /// The end of the last range: the largest id that every reader of JSON represents exactly (RFC 8259, section 6).
  package static let highestID: Int64 = 1 << 53 - 1

  /// The text that a leaf's hash is computed from.
  package static func text(ofLeaf images: [ImageState]) -> String {
    images.reduce(into: "images\n") { $0 += "\($1.id) \($1.number)\n" }
  }

  /// Splits sorted ids into leaves, at borders that do not depend on images elsewhere.
  ///
  /// - Parameters:
  ///   - ids: The ids, sorted.
  ///   - range: The range of ids that they cover.
  /// - Returns: Consecutive ranges, each with its part of the ids.
  package static func leaves(
    of ids: ArraySlice<Int64>,
    in range: ClosedRange<Int64> = 0...highestID
  ) -> [(range: ClosedRange<Int64>, ids: ArraySlice<Int64>)] {
    guard ids.count > imagesPerLeaf, let first = ids.first, let last = ids.last, first < last else {
      return [(range, ids)]
    }
    // The highest bit in which ids differ. All ids with this bit set come after all ids without it.
    let bit = 63 - (first ^ last).leadingZeroBitCount
    let border = (last >> bit) << bit
    // Only a damaged or foreign library has ids outside of the range; they stay together.
    guard border > range.lowerBound, border <= range.upperBound else { return [(range, ids)] }
    let split = ids.firstIndex { $0 >= border } ?? ids.endIndex
    return leaves(of: ids[..<split], in: range.lowerBound...border - 1)
      + leaves(of: ids[split...], in: border...range.upperBound)
  }
}
