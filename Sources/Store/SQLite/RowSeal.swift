import LibraryFiles
import Models
package import Workers

/// A row differs from the row that this program wrote, although SQLite finds nothing wrong with it.
package struct UnsoundRow: Error {
  package var message: String

  package init(message: String) { self.message = message }
}

/// The checksum of a row, over the columns that identify it and that name its file or address.
///
/// SQLite does not notice a flipped bit in a value. In an entry's id, such a bit makes a sync add an image again. In an
/// original's hash, it loses the file. In `is_removed`, it makes a cleaning delete a feed. So each statement that
/// writes a covered column is followed by an update of `row_checksum`. A row without a checksum is not checked.
///
/// PostgreSQL has checksums of its own (postgresql.org/docs/15/checksums.html): there, rows have none, and changes are
/// made as they are.
///
/// `thumbnail_sha256` is not covered, because a check of the library compares it with the bytes themselves.
package struct RowSeal {
  package let table: String
  /// The column with the row's id.
  package let key: String
  /// The covered columns, in the order in which they are added to the checksum.
  let columns: [String]

  package static let all = [feed, image, original, imageOriginal, pack, putOriginal]

  package static let feed = RowSeal(
    table: "feed",
    key: "id",
    columns: ["id", "address", "identity", "is_removed"]
  )

  /// `RowChecksum.ofImage` adds the same values in the same order.
  package static let image = RowSeal(
    table: "image",
    key: "id",
    columns: [
      "id", "feed_id", "entry_id", "entry_hash", "original_address", "original_hash",
      "thumbnail_address", "thumbnail_hash", "page_address",
    ]
  )

  package static let original = RowSeal(
    table: "original",
    key: "id",
    columns: ["id", "sha256", "format", "bytes"]
  )

  package static let imageOriginal = RowSeal(
    table: "image_original",
    key: "image_id",
    columns: ["image_id", "original_id", "address"]
  )

  package static let putOriginal = RowSeal(
    table: "put_original",
    key: "original_id",
    columns: ["original_id", "put_at"]
  )

  package static let pack = RowSeal(table: "pack", key: "id", columns: ["id", "bytes"])

  /// Changes covered columns of a row.
  ///
  /// Throws when the checksum was wrong before, since a new one would hide the damage.
  package func change(_ id: Int64, _ db: Connection, _ body: () throws -> Void) throws {
    try check(id, db)
    try body()
    try renew(id, db)
  }

  /// Writes the checksum of a row that has just been written.
  package func renew(_ id: Int64, _ db: Connection) throws {
    guard let row = try row(id, db) else { return }
    let sql = "UPDATE \(table) SET row_checksum = $1 WHERE \(key) = $2"
    try db.run(sql, RowChecksum.of(row.values), id)
  }

  /// Throws when the checksum of a row is wrong.
  package func check(_ id: Int64, _ db: Connection) throws {
    if let row = try row(id, db), !row.isSound { throw UnsoundRow(message: fault(of: id)) }
  }

  /// Throws when the checksum of any row is wrong; reads the whole table.
  package func checkAll(_ db: Connection) throws {
    if let fault = try faults(limit: 1, db).first { throw UnsoundRow(message: fault) }
  }

  /// The rows with wrong checksums, in words.
  package func faults(limit: Int, _ db: Connection) throws -> [String] {
    try unsoundRows(limit: limit, db).map(fault)
  }

  /// The ids of rows with wrong checksums, read from the table and not from an index.
  package func unsoundRows(limit: Int, _ db: Connection) throws -> [Int64] {
    guard case .sqlite = db.dialect, limit > 0 else { return [] }
    var ids: [Int64] = []
    let sql = "SELECT \(list) FROM \(table) NOT INDEXED WHERE row_checksum IS NOT NULL"
    try db.forEachRow(sql, with: Values()) { row in
      if !SealedRow(row, columns.count).isSound { ids.append(try row.value(columns.count + 1)) }
      return ids.count < limit
    }
    return ids
  }

  /// Flips the one bit back that makes the checksum right again; says whether there is such a bit.
  package func correct(_ id: Int64, _ db: Connection) throws -> Bool {
    guard let row = try row(id, db), case .integer(let stored) = row.checksum else { return false }
    // The flipped bit may be in the checksum itself.
    if (RowChecksum.of(row.values) ^ stored).nonzeroBitCount == 1 {
      try renew(id, db)
      return true
    }
    for (index, value) in row.values.enumerated() {
      for candidate in value.withOneBitTurned {
        var others = row.values
        others[index] = candidate
        guard RowChecksum.of(others) == stored else { continue }
        let sql = "UPDATE \(table) SET \(columns[index]) = $1 WHERE \(key) = $2"
        return try db.run(sql, candidate, id) == 1
      }
    }
    return false
  }

  private var list: String { columns.joined(separator: ", ") + ", row_checksum, \(key)" }

  /// Nil when there is no such row, and in PostgreSQL.
  private func row(_ id: Int64, _ db: Connection) throws -> SealedRow? {
    guard case .sqlite = db.dialect else { return nil }
    let sql = "SELECT \(list) FROM \(table) WHERE \(key) = $1"
    return try db.row(sql, id) { row in SealedRow(row, columns.count) }
  }

  private func fault(of id: Int64) -> String {
    "row \(id) of \(table) is not as it was written"
  }
}

/// The covered values of a row, and its checksum.
private struct SealedRow {
  let values: [StoredValue]
  let checksum: StoredValue

  /// Reads a number of covered columns, and the checksum behind them.
  init(_ row: Row, _ count: Int) {
    values = (0..<count).map { StoredValue(row, Int32($0)) }
    checksum = StoredValue(row, Int32(count))
  }

  /// Whether the checksum is right, or missing.
  var isSound: Bool { checksum == .null || checksum == .integer(RowChecksum.of(values)) }
}

/// A value as SQLite stores it, whatever the type of its column.
private enum StoredValue: Equatable, Parameter {
  case null
  case integer(Int64)
  case text(String)
  /// A number with a fraction, or bytes, neither of which a covered column has in a sound file.
  case other

  init(_ row: Row, _ column: Int32) {
    if row.isNull(Int(column)) {
      self = .null
    } else if let integer = Int64(row, column) {
      self = .integer(integer)
    } else if let text = String(row, column) {
      self = .text(text)
    } else {
      self = .other
    }
  }

  func add(to values: inout Values) {
    switch self {
    case .integer(let integer): values.add(integer)
    case .text(let text): values.add(text)
    case .null, .other: values.addNull()
    }
  }

  /// The values that differ from this one in one bit; texts only if they remain valid UTF-8.
  var withOneBitTurned: [StoredValue] {
    switch self {
    case .integer(let integer):
      return (0..<64).map { .integer(integer ^ (1 << $0)) }
    case .text(let text):
      let bytes = Array(text.utf8)
      return bytes.indices.flatMap { index in
        (0..<8).compactMap { bit in
          var turned = bytes
          turned[index] ^= 1 << bit
          return String(validating: turned, as: UTF8.self).map(StoredValue.text)
        }
      }
    case .null, .other: return []
    }
  }
}

/// A checksum of 32 bits, which takes half the room of 64 bits and misses one change in four billion.
package struct RowChecksum {
  private var sum = PictureChecksum.seed

  package init() {}

  package mutating func add(_ integer: Int64?) {
    guard let integer else { return add(word: Self.nothing) }
    PictureChecksum.add(UInt64(bitPattern: integer), to: &sum)
  }

  package mutating func add(_ text: String?) {
    guard let text else { return add(word: Self.nothing) }
    text.utf8Span.span.withUnsafeBufferPointer { characters in
      let bytes = UnsafeRawBufferPointer(characters)
      let end = bytes.count - bytes.count % 8
      for start in stride(from: 0, to: end, by: 8) {
        add(word: PictureChecksum.word(of: bytes, at: start))
      }
      var rest = UInt64(bytes.count) << 56
      for (index, byte) in bytes[end...].enumerated() { rest |= UInt64(byte) << (8 * index) }
      add(word: rest)
    }
  }

  /// The checksum as a signed number, since SQLite keeps integers with their sign.
  ///
  /// Each step has already mixed the high bits into the low ones. To do so once more would cancel that.
  package var value: Int64 {
    var sum = sum
    PictureChecksum.add(Self.nothing, to: &sum)
    return Int64(Int32(truncatingIfNeeded: sum))
  }

  fileprivate static func of(_ values: [StoredValue]) -> Int64 {
    var sum = RowChecksum()
    for value in values {
      switch value {
      case .integer(let integer): sum.add(integer)
      case .text(let text): sum.add(text)
      case .null, .other: sum.add(nil as Int64?)
      }
    }
    return sum.value
  }

  /// The word that is added for NULL, and at the end.
  ///
  /// No text contains it: UTF-8 has no byte 0xFF, and only the highest byte of a text's last word, its length, can be
  /// 0xFF. Few integers equal it.
  private static let nothing: UInt64 = 0xFFFF_6E6F_7468_6967

  private mutating func add(word: UInt64) { PictureChecksum.add(word, to: &sum) }
}

extension RowChecksum {
  /// The checksum of an image's row, from the values that are about to be written; see `RowSeal.image`.
  package static func ofImage(
    id: Int64,
    feedID: Int64,
    entry: EntryID?,
    _ image: DocumentImage,
    thumbnailHash: Int64?
  ) -> Int64 {
    var sum = RowChecksum()
    sum.add(id)
    sum.add(feedID)
    sum.add(entry?.text)
    sum.add(entry?.hash)
    sum.add(image.fields.originalAddress)
    sum.add(image.originalHash)
    sum.add(image.fields.thumbnailAddress)
    sum.add(thumbnailHash)
    sum.add(image.fields.pageAddress)
    return sum.value
  }
}
