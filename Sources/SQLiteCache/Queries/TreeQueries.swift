import FoundationEssentials
import GRDB
import LibraryFiles
import Models
import Workers

/// Makes the tree of hashes of a library, from indexes alone, in one transaction.
struct TreeQueries {
  /// An image, and the number of its last change.
  private struct Numbered {
    var id: Int64
    var number: Int64
  }

  private let db: Database
  /// All images that are listed, by id.
  private let images: [Numbered]

  static func tree(_ db: Database) throws -> LibraryTree? {
    guard let version = try ChangeLog.version(db) else { return nil }
    let queries = try TreeQueries(db)
    let feeds = try queries.feeds()
    let pins = try queries.pins()
    var hash = try LineHash("library \(version.library)")
    for feed in feeds { hash.add("feed \(feed.id) \(feed.hash.hexadecimal)\n") }
    for pin in pins { hash.add("pin \(pin.imageID) \(pin.number)\n") }
    return LibraryTree(version: version, hash: hash.digest, feeds: feeds, pins: pins)
  }

  private init(_ db: Database) throws {
    self.db = db
    let listed = "FROM image INDEXED BY image_change WHERE is_hidden = 0"
    let sql = "SELECT id, change_seq \(listed)"
    let count = try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) \(listed)")) ?? 0
    var images: [Numbered] = []
    // An array that grows would have twice the room at the end.
    images.reserveCapacity(count)
    try db.cachedStatement(sql: sql).forEachPair([]) { id, number in
      images.append(Numbered(id: id, number: number))
    }
    images.sort { $0.id < $1.id }
    self.images = images
  }

  private func feeds() throws -> [LibraryTree.Feed] {
    let sql = "SELECT id, change_seq FROM feed WHERE is_removed = 0 ORDER BY id"
    return try db.cachedStatement(sql: sql).rows { row in
      try feed(row.value(0), number: row.value(1))
    }
  }

  private func feed(_ id: Int64, number: Int64) throws -> LibraryTree.Feed {
    let sql = """
      SELECT id, date FROM image INDEXED BY image_feed_newest
      WHERE is_hidden = 0 AND feed_id = ?
      """
    var months: [Int: [Int64]] = [:]
    try db.cachedStatement(sql: sql).forEachPair([id]) { id, date in
      months[Timeline.month(ofSecond: date), default: []].append(id)
    }
    var ids: [Int64] = []
    ids.reserveCapacity(months.values.reduce(0) { $0 + $1.count })
    for month in months.values { ids += month }
    var hash = try LineHash("feed \(id) \(number)")
    ids.sort()
    add(ids[...], to: &hash)
    return LibraryTree.Feed(
      id: id,
      number: number,
      hash: hash.digest,
      images: ids.count,
      months: try months.sorted { $0.key < $1.key }
        .map { try month($0.key, $0.value.sorted(), ofFeed: id) }
    )
  }

  private func month(_ month: Int, _ ids: [Int64], ofFeed id: Int64) throws -> LibraryTree.Month {
    var hash = try LineHash("month \(id) \(Timeline.text(ofMonth: month))")
    add(ids[...], to: &hash)
    let leaves = try LibraryTree.leaves(of: ids[...]).map { leaf in
      var hash = try LineHash("images")
      add(leaf.ids, to: &hash)
      return LibraryTree.Leaf(hash: hash.digest, images: leaf.ids.count, ids: leaf.range)
    }
    return LibraryTree.Month(month: month, hash: hash.digest, images: ids.count, leaves: leaves)
  }

  /// Adds the lines of images, by id.
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

  private func pins() throws -> [LibraryTree.Pin] {
    let sql = """
      SELECT image_id, pin.change_seq, pinned_at FROM pin JOIN image ON image.id = image_id
      WHERE is_hidden = 0 ORDER BY image_id
      """
    return try db.cachedStatement(sql: sql).rows { row in
      try LibraryTree.Pin(
        imageID: row.value(0),
        number: row.value(1),
        date: Date(storedSeconds: row.value(2))
      )
    }
  }

  // MARK: A leaf

  /// The images of a feed and a month in a range of ids, by id.
  static func images(
    ofFeed feedID: Int64,
    month: Int,
    ids: ClosedRange<Int64>,
    _ db: Database
  ) throws -> [ImageState] {
    let dates = Timeline.seconds(ofMonth: month)
    let sql = """
      SELECT id FROM image INDEXED BY image_feed_newest
      WHERE is_hidden = 0 AND feed_id = ? AND date >= ? AND date < ? AND id BETWEEN ? AND ?
      LIMIT ?
      """
    let found = try Int64.fetchAll(
      db.cachedStatement(sql: sql),
      arguments: [
        feedID, dates.lowerBound, dates.upperBound, ids.lowerBound, ids.upperBound,
        LibraryTree.imagesPerLeaf,
      ]
    )
    let states = try ImageStates(found, db)
    return try found.sorted().compactMap(states.state)
  }
}

/// The SHA-256 of lines of text.
private struct LineHash: ~Copyable {
  private var hash: SHA256
  private var buffer: [UInt8] = []

  /// Bytes that are hashed together.
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
