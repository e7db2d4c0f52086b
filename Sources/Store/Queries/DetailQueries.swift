package import Models
import Workers

/// The SQL of what cameras have written into originals (`picture_details`), by the hashes of these.
///
/// A row without values is that of an original that says nothing.
package enum DetailQueries {
  private static let table = "picture_details"

  /// Whether the library has the table.
  package static func areKept(_ db: Connection) throws -> Bool { try db.hasTable(table) }

  private static let columns = """
    sha256, camera, lens, exposure, aperture, sensitivity, focal_length, taken_clock, taken_offset,
    latitude, longitude
    """

  /// What originals say, by their hashes; those without a row are left out, and so are values that no camera has.
  package static func details(
    ofOriginals hashes: [String],
    _ db: Connection
  ) throws -> [String: PictureDetails] {
    guard !hashes.isEmpty, try areKept(db) else { return [:] }
    let sql = "SELECT \(columns) FROM picture_details WHERE sha256 \(db.dialect.ids(1))"
    let found = try db.rows(sql, hashes) { row in
      try (row.value(0) as String, PictureDetails(row))
    }
    return Dictionary(found) { first, _ in first }
  }

  /// Whether the table has its indexes.
  package static func areIndexed(_ db: Connection) throws -> Bool {
    try db.hasTable("picture_details_name")
  }

  /// The names of a camera and its lens in one text, which is a blank without both: the term of an index.
  package static func name(_ dialect: Dialect) -> String {
    "((coalesce(camera, '') || ' ' || coalesce(lens, ''))\(dialect.bytewise))"
  }

  /// The statements that make the indexes of names and of moments (`TakenOrder`).
  package static func indexes(_ dialect: Dialect) -> String {
    "CREATE INDEX picture_details_name ON picture_details(\(name(dialect)));\n" + TakenOrder.index
  }

  /// Each text of `name` once, but for the blank.
  static func names(_ db: Connection) throws -> [String] {
    try db.rows(namesSQL(db.dialect)) { row in try row.value(0) }
  }

  /// Each step looks up the next text in the index, which would not serve SQLite if the first one had a type.
  package static func namesSQL(_ dialect: Dialect) -> String {
    let name = name(dialect)
    return """
      WITH RECURSIVE known(name) AS (
        SELECT ' '\(dialect.bytewise)
        UNION ALL
        SELECT (
          SELECT \(name) FROM picture_details WHERE \(name) > known.name ORDER BY \(name) LIMIT 1
        ) FROM known WHERE known.name IS NOT NULL
      )
      SELECT name FROM known WHERE name > ' '
      """
  }

  /// Stores what originals say; returns the number of rows that are new or have changed.
  @discardableResult
  package static func store(
    _ details: [String: PictureDetails],
    _ db: Connection
  ) throws -> Int {
    let names = columns.split { $0 == "," || $0.isWhitespace }.dropFirst()
    let values = (1...names.count + 1).map { "$\($0)" }.joined(separator: ", ")
    let sql = """
      INSERT INTO picture_details(\(columns)) VALUES (\(values))
      ON CONFLICT (sha256) DO UPDATE SET
        \(names.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
      """
    let known = try self.details(ofOriginals: Array(details.keys), db)
    var (count, moved) = (0, [String]())
    // In one order, so that two processes of PostgreSQL's do not wait for each other.
    for (hash, new) in details.sorted(by: { $0.key < $1.key }) where known[hash] != new {
      count += try db.run(
        sql,
        hash,
        new.camera,
        new.lens,
        new.exposure,
        new.aperture,
        new.sensitivity,
        new.focalLength,
        new.taken?.clock,
        new.taken?.offset,
        new.place?.latitude,
        new.place?.longitude
      )
      let old = known[hash] ?? PictureDetails()
      if (old.camera, old.lens, old.taken) != (new.camera, new.lens, new.taken) {
        moved.append(hash)
      }
    }
    try noteChange(ofOriginals: moved, db)
    return count
  }

  /// Notes a change of the images of originals, which may be in other searches now (`CameraSearch`), or elsewhere in
  /// lists (`TakenOrder`).
  private static func noteChange(ofOriginals hashes: [String], _ db: Connection) throws {
    if hashes.isEmpty { return }
    let isOne = "sha256 \(db.dialect.ids(1))"
    let sql = """
      SELECT image_id FROM original JOIN image_original ON original_id = original.id WHERE \(isOne)
      UNION SELECT image_id FROM folder_original WHERE \(isOne)
      """
    try ChangeLog.note(images: db.column(sql, hashes).sorted(), db)
  }

  /// Deletes the rows of originals that the library does not have any more.
  package static func forgetUnused(_ db: Connection) throws {
    guard try db.mayHaveRows(in: table) else { return }
    try db.run(
      """
      DELETE FROM picture_details
      WHERE NOT EXISTS (SELECT 1 FROM original WHERE original.sha256 = picture_details.sha256)
        AND NOT EXISTS (
          SELECT 1 FROM folder_original WHERE folder_original.sha256 = picture_details.sha256
        )
      """
    )
  }
}

extension PictureDetails {
  /// Reads the columns behind the hash.
  fileprivate init(_ row: Row) throws {
    self.init()
    (camera, lens) = try (row.value(1), row.value(2))
    (exposure, aperture) = try (row.value(3), row.value(4))
    (sensitivity, focalLength) = try (row.value(5), row.value(6))
    if let clock: Int64 = try row.value(7) {
      taken = try DateTaken(clock: clock, offset: row.value(8))
    }
    if let latitude: Int64 = try row.value(9), let longitude: Int64 = try row.value(10) {
      place = PicturePlace(latitude: latitude, longitude: longitude)
    }
    self = sound
  }
}
