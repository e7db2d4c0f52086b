import Models
package import Workers

/// Computes the tree of hashes of a library.
package struct TreeHashing {
  /// An image's id and the number of its last change.
  package typealias NumberedImage = (id: Int64, number: Int64)

  /// Sorted by id.
  private let images: [NumberedImage]

  /// - Parameter images: All listed images, sorted by id.
  package init(_ images: [NumberedImage]) { self.images = images }

  package func tree(
    version: LibraryVersion,
    feeds: [LibraryTree.Feed],
    pins: [LibraryTree.Pin]
  ) throws(StoreError) -> LibraryTree {
    var hash = try LineHash("library \(version.library)")
    for feed in feeds { hash.add("feed \(feed.id) \(feed.hash.hexadecimal)\n") }
    for pin in pins { hash.add("pin \(pin.imageID) \(pin.number)\n") }
    return LibraryTree(version: version, hash: hash.digest, feeds: feeds, pins: pins)
  }

  /// Computes the part of a feed from its images, each with the date that `newest` sorts by.
  package func feed(
    _ id: Int64,
    number: Int64,
    _ images: [(id: Int64, date: Int64)]
  ) throws(StoreError) -> LibraryTree.Feed {
    var months: [Int: [Int64]] = [:]
    for image in images {
      months[Timeline.month(ofSecond: image.date), default: []].append(image.id)
    }
    var hash = try LineHash("feed \(id) \(number)")
    add(images.map(\.id).sorted()[...], to: &hash)
    return LibraryTree.Feed(
      id: id,
      number: number,
      hash: hash.digest,
      images: images.count,
      months: try months.sorted { $0.key < $1.key }
        .map { part throws(StoreError) in try month(part.key, part.value.sorted(), ofFeed: id) }
    )
  }

  private func month(_ month: Int, _ ids: [Int64], ofFeed id: Int64) throws(StoreError)
    -> LibraryTree.Month
  {
    var hash = try LineHash("month \(id) \(Timeline.text(ofMonth: month))")
    add(ids[...], to: &hash)
    let leaves = try LibraryTree.leaves(of: ids[...]).map { leaf throws(StoreError) in
      var hash = try LineHash("images")
      add(leaf.ids, to: &hash)
      return LibraryTree.Leaf(hash: hash.digest, images: leaf.ids.count, ids: leaf.range)
    }
    return LibraryTree.Month(month: month, hash: hash.digest, images: ids.count, leaves: leaves)
  }

  /// Adds the lines of images, which are sorted by id.
  private func add(_ ids: ArraySlice<Int64>, to hash: inout LineHash) {
    for id in ids { hash.add(id, number(of: id)) }
  }

  private func number(of id: Int64) -> Int64 {
    var (lower, upper) = (0, images.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if images[middle].id < id { lower = middle + 1 } else { upper = middle }
    }
    return lower < images.count && images[lower].id == id ? images[lower].number : 0
  }
}

/// The SHA-256 of lines of text.
private struct LineHash: ~Copyable {
  private var hash: SHA256
  private var buffer: [UInt8] = []

  /// The number of bytes that are hashed together.
  private static let length = 32 << 10

  /// Begins with a line.
  init(_ line: String) throws(StoreError) {
    hash = try SHA256(of: "the tree of hashes")
    buffer.reserveCapacity(Self.length + 64)
    add(line + "\n")
  }

  mutating func add(_ text: String) {
    buffer += text.utf8
    flush(Self.length)
  }

  /// Adds the line of an image.
  mutating func add(_ id: Int64, _ number: Int64) {
    append(id)
    buffer.append(UInt8(ascii: " "))
    append(number)
    buffer.append(UInt8(ascii: "\n"))
    flush(Self.length)
  }

  private mutating func append(_ number: Int64) {
    let start = buffer.count
    var rest = number.magnitude
    repeat {
      buffer.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    buffer[start...].reverse()
  }

  private mutating func flush(_ length: Int) {
    guard buffer.count >= length else { return }
    hash.update(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  var digest: SHA256Digest {
    mutating get {
      flush(1)
      return hash.digest
    }
  }
}
