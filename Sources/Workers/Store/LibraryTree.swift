package import FoundationEssentials
package import Models

/// Hashes of a library's images, by feed and month, with which a client finds where its copy differs.
///
/// A hash stands for the ids of images and the numbers of their last changes, so a client computes those of its copy
/// by itself. See `Documentation/Changes.md`.
package struct LibraryTree: Sendable, Equatable {
  /// The state of the library that it was made of.
  package var version: LibraryVersion
  package var hash: SHA256Digest
  /// By id.
  package var feeds: [Feed]
  /// By the ids of the images.
  package var pins: [Pin]

  package init(version: LibraryVersion, hash: SHA256Digest, feeds: [Feed], pins: [Pin]) {
    self.version = version
    self.hash = hash
    self.feeds = feeds
    self.pins = pins
  }

  package struct Feed: Sendable, Equatable {
    package var id: Int64
    /// The number of its own last change.
    package var number: Int64
    package var hash: SHA256Digest
    package var images: Int
    /// In their order.
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
    /// The months since January of the year 0, in UTC, until the date that `newest` sorts by.
    package var month: Int
    package var hash: SHA256Digest
    package var images: Int
    /// By id.
    package var leaves: [Leaf]

    package init(month: Int, hash: SHA256Digest, images: Int, leaves: [Leaf]) {
      self.month = month
      self.hash = hash
      self.images = images
      self.leaves = leaves
    }
  }

  /// The images of a month whose ids are in a range; together the ranges of a month have every id.
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
    /// The number of its last change.
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
  /// The images of a leaf at most.
  package static let imagesPerLeaf = 2_000
  /// The highest id of the last range: a number that is exact in every reader of JSON (RFC 8259, section 6).
  package static let highestID: Int64 = 1 << 53 - 1

  /// The text whose hash a leaf has.
  package static func text(ofLeaf images: [ImageState]) -> String {
    images.reduce(into: "images\n") { $0 += "\($1.id) \($1.number)\n" }
  }

  /// Cuts sorted ids into leaves, at numbers that do not move when images come and go elsewhere.
  ///
  /// - Parameters:
  ///   - ids: Sorted.
  ///   - range: The range of ids that they cover.
  /// - Returns: Ranges that follow one another, each with its part of the ids.
  package static func leaves(
    of ids: ArraySlice<Int64>,
    in range: ClosedRange<Int64> = 0...highestID
  ) -> [(range: ClosedRange<Int64>, ids: ArraySlice<Int64>)] {
    guard ids.count > imagesPerLeaf, let first = ids.first, let last = ids.last, first < last else {
      return [(range, ids)]
    }
    // The highest bit in which ids differ: all that have it come behind all that have it not.
    let bit = 63 - (first ^ last).leadingZeroBitCount
    let border = (last >> bit) << bit
    let split = ids.firstIndex { $0 >= border } ?? ids.endIndex
    return leaves(of: ids[..<split], in: range.lowerBound...border - 1)
      + leaves(of: ids[split...], in: border...range.upperBound)
  }
}
