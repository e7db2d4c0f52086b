package import Models
import Workers

/// The SQL of the other renditions of images, whose addresses are the lines of a text.
package enum RenditionQueries {
  private static let table = "rendition"

  /// Whether the library has their table.
  package static func areKept(_ db: Connection) throws -> Bool { try db.hasTable(table) }

  /// The renditions of an image, the best first.
  package static func addresses(imageID: Int64, _ db: Connection) throws -> [WebAddress] {
    guard try areKept(db) else { return [] }
    let text: String? = try db.value("SELECT addresses FROM rendition WHERE image_id = $1", imageID)
    return lines(text ?? "").compactMap(WebAddress.init)
  }

  /// The renditions of images, by their ids; most images have none.
  static func texts(ofImages ids: [Int64], _ db: Connection) throws -> [Int64: [String]] {
    guard try areKept(db), try db.mayHaveRows(in: table) else { return [:] }
    let sql = "SELECT image_id, addresses FROM rendition WHERE image_id \(db.dialect.ids(1))"
    let rows = try db.rows(sql, ids) { row in
      try (row.value(0) as Int64, lines(row.value(1) as String))
    }
    return Dictionary(rows) { first, _ in first }
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }

  /// Whether a feed names an address for the original of an image, as the first choice or as another rendition.
  static func isNamed(
    _ address: WebAddress,
    forOriginalOf imageID: Int64,
    _ db: Connection
  ) throws -> Bool {
    let naming = "SELECT original_address FROM image WHERE id = $1"
    let named = try db.row(naming, imageID) { row in try row.address(0) }
    if named?.identity == address.identity || named?.namesSameFile(as: address) == true {
      return true
    }
    return try addresses(imageID: imageID, db).contains { $0.identity == address.identity }
  }

  // MARK: Writing

  /// Adds the renditions of new images.
  static func add(_ images: [(id: Int64, fields: ImageFields)], _ db: Connection) throws {
    let named = images.filter { !$0.fields.renditions.isEmpty }
    if named.isEmpty { return }
    var rows = NewRows(into: table, ["image_id", "addresses"], count: named.count)
    for image in named {
      rows.values.add(image.id)
      rows.values.add(image.fields.renditions.joined(separator: "\n"))
    }
    try db.insert(rows)
  }

  /// Sets the renditions of a stored image.
  static func set(_ addresses: [String], of imageID: Int64, _ db: Connection) throws {
    if addresses.isEmpty {
      guard try db.mayHaveRows(in: table) else { return }
      try db.run("DELETE FROM rendition WHERE image_id = $1", imageID)
      return
    }
    let sql = """
      INSERT INTO rendition(image_id, addresses) VALUES ($1, $2)
      ON CONFLICT (image_id) DO UPDATE SET addresses = excluded.addresses
        WHERE rendition.addresses <> excluded.addresses
      """
    try db.run(sql, imageID, addresses.joined(separator: "\n"))
  }
}
