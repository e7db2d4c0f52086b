import Models
package import Workers

/// The SQL that reads the complete states of images.
package enum ImageStates {
  /// The states of the images that followed feeds have, by their ids.
  package static func states(_ ids: [Int64], _ db: Connection) throws -> [Int64: ImageState] {
    if ids.isEmpty { return [:] }
    let damage = try DamageQueries.kinds(ofImages: ids, db)
    // The states are large, so that each list of them which is copied costs time.
    var states = [Int64: ImageState](minimumCapacity: ids.count)
    try db.forEachRow(sql(db.dialect), with: Values([ids])) { row in
      if let state = try state(row, damage) { states[state.id] = state }
      return true
    }
    for (id, info) in try FolderQueries.pictures(ofImages: ids, db)
    where states[id]?.original == nil {
      states[id]?.original = ImageState.Original(info: info, isStale: false)
    }
    for (id, renditions) in try RenditionQueries.texts(ofImages: ids, db) {
      states[id]?.fields.renditions = renditions
    }
    guard try db.hasRow("SELECT 1 FROM member LIMIT 1") else { return states }
    for id in ids where states[id] != nil {
      states[id]?.manifest = try MemberQueries.manifest(imageID: id, db)
    }
    return states
  }

  package static func sql(_ dialect: Dialect) -> String {
    // Only a folder of SQLite has packs whose hashes clients may ask for.
    let (pack, join) =
      switch dialect {
      case .sqlite:
        (
          "pack.sha256, thumbnail.offset",
          """
          LEFT JOIN thumbnail ON thumbnail.image_id = image.id
          LEFT JOIN pack ON pack.id = thumbnail.pack_id
          """
        )
      case .postgres: ("NULL, NULL", "")
      }
    return """
      SELECT image.id, image.change_seq, feed_id, position, date, first_seen_at, entry_id,
        is_entry_ambiguous, is_gone, title, caption, author, licence, published_at, page_address,
        thumbnail_address, original_address, image.width, image.height, declared_bytes,
        thumbnail_state, thumbnail_format, thumbnail_bytes, thumbnail_width, thumbnail_height,
        thumbnail_sha256, \(pack), colours,
        original_state, original.format, original.bytes, original.width, original.height,
        original.sha256
      FROM \(dialect.list(1)) \(dialect.joinInOrder) image ON image.id = list.value
      \(join)
      LEFT JOIN image_original AS held
        ON original_state <> \(OriginalState.missing.rawValue) AND held.image_id = image.id
      LEFT JOIN original ON original.id = original_id
      WHERE \(ImageQueries.isListed)
      """
  }

  /// Nil for an invalid address, which this program never writes.
  private static func state(
    _ row: Row,
    _ damage: [Int64: Set<PictureKind>]
  ) throws -> ImageState? {
    guard try row.address(16) != nil else { return nil }
    var fields = try row.fields(9)
    fields.bytes = try row.value(19)
    let id: Int64 = try row.value(0)
    let damaged = damage[id] ?? []
    return try ImageState(
      id: id,
      number: row.value(1),
      feedID: row.value(2),
      position: row.value(3),
      date: row.value(4),
      firstSeen: row.value(5),
      fields: fields,
      entryID: row.value(6),
      isEntryAmbiguous: row.value(7),
      isGone: row.value(8),
      thumbnail: damaged.contains(.thumbnail) ? nil : thumbnail(row),
      original: damaged.contains(.original) ? nil : original(row)
    )
  }

  private static func thumbnail(_ row: Row) throws -> ImageState.Thumbnail? {
    guard let hash = row.hash(25), let info = try row.picture(21, hash: hash) else { return nil }
    let state: ThumbnailState = try row.value(raw: 20) ?? .wanted
    let offset: Int = try row.value(27) ?? 0
    let colours = try (row.value(28) as Bytes?)?.bytes
    return ImageState.Thumbnail(
      info: info,
      isMade: state == .made,
      isStale: !state.isRight,
      pack: row.hash(26).map { .init(hash: $0, offset: offset) },
      colours: colours?.count == ColourGrid.bytes ? colours : nil
    )
  }

  private static func original(_ row: Row) throws -> ImageState.Original? {
    guard let hash = try (row.value(34) as String?).flatMap(SHA256Digest.init(hexadecimal:)),
      let info = try row.picture(30, hash: hash)
    else { return nil }
    let state: OriginalState? = try row.value(raw: 29)
    return ImageState.Original(info: info, isStale: state == .stale)
  }
}
