/// The change log: the number of the transaction that last changed each feed, image and pin.
enum ChangeLog {
  /// Notes a change of images that is not in their rows.
  static func note(images ids: [Int64], _ db: Connection) throws {
    if ids.isEmpty { return }
    let dialect = db.dialect
    let sql = "UPDATE image SET change_seq = \(dialect.nextChange) WHERE id \(dialect.ids(1))"
    try db.run(sql, ids)
  }
}
