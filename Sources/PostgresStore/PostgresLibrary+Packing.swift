import LibraryFiles
import Models
import Store
package import Workers

/// Moves thumbnails from the database into packs in the object store.
///
/// A pack is put first. Then one transaction notes the positions of its thumbnails, and deletes their bytes from the
/// database. An interruption between these steps leaves a pack that no row names, which `clean` deletes.
extension PostgresLibrary {
  private static let rowsAtOnce = 256
  /// The number of rows to look at; fewer rows than these fill the smallest pack.
  private static let rowsLookedAt = 100_000
  /// A pack is emptied when less than this share of its bytes is in use.
  private static let leastUse = 0.5
  /// How long an emptied pack stays for processes that are still reading it.
  private static let graceSeconds: Int64 = 86_400

  package func packThumbnails() async throws(StoreError) -> PackedThumbnails {
    var packed = PackedThumbnails()
    guard let packs = packs.withLock({ $0 }), try await hasEnough(for: packs),
      try await lockPacking("pg_try_advisory_lock")
    else { return packed }
    do throws(StoreError) {
      let store = packs.objects.name
      try await writing { db in try ObjectQueries.note(store, db) }
      var hasMore = true
      while hasMore, !Task.isCancelled, try await hasEnough(for: packs) {
        hasMore = try await pack(into: packs, &packed)
      }
    } catch {
      _ = try? await lockPacking("pg_advisory_unlock")
      throw error
    }
    _ = try await lockPacking("pg_advisory_unlock")
    return packed
  }

  /// Takes or frees the lock that lets one process at a time pack thumbnails; the end of the session frees it, too.
  private func lockPacking(_ function: String) async throws(StoreError) -> Bool {
    try await locking { db in
      // The first number is "pacs" in ASCII. The second one gives each schema its own lock.
      let sql = "SELECT \(function)(1885430643, hashtext(current_schema()))"
      return try db.value(sql) ?? false
    }
  }

  private func hasEnough(for packs: ThumbnailPacks) async throws(StoreError) -> Bool {
    let least = packs.leastBytes
    return try await asking { db in
      let sql = """
        SELECT coalesce(sum(octet_length(bytes)), 0) >= $1 FROM (
          SELECT bytes FROM thumbnail WHERE pack_id IS NULL ORDER BY image_id LIMIT $2
        ) AS waiting
        """
      return try db.value(sql, least, Self.rowsLookedAt) ?? false
    }
  }

  /// A thumbnail in a pack that is being written.
  private struct Entry {
    var imageID: Int64
    var offset: Int
    var bytes: Int
    var hash: SHA256Digest
  }

  /// Writes, puts and notes one pack; returns false when it holds no thumbnail that a row names.
  private func pack(
    into packs: ThumbnailPacks,
    _ packed: inout PackedThumbnails
  ) async throws(StoreError) -> Bool {
    let writer = try PackWriter(in: folder)
    do throws(StoreError) {
      let entries = try await fill(writer, upTo: packs.mostBytes)
      guard !entries.isEmpty else {
        writer.discard()
        return false
      }
      try await packs.objects.put(writer.pack)
      let count = try await note(writer.pack, entries)
      packs.cache.keep(writer.pack)
      packed.packs += 1
      packed.thumbnails += count
      packed.bytes += writer.count
      return count > 0
    } catch {
      writer.discard()
      throw error
    }
  }

  private func fill(
    _ writer: PackWriter,
    upTo most: Int
  ) async throws(StoreError) -> [Entry] {
    var (entries, last) = ([Entry](), Int64.min)
    while true {
      let rows = try await asking { [last] db in
        let sql = """
          SELECT image_id, thumbnail.bytes, thumbnail_sha256
          FROM thumbnail LEFT JOIN image ON image.id = image_id
          WHERE pack_id IS NULL AND image_id > $1 ORDER BY image_id LIMIT $2
          """
        return try db.rows(sql, last, Self.rowsAtOnce).map { row in
          try (row.value(0) as Int64, (row.value(1) as Bytes).bytes, row.hash(2))
        }
      }
      guard let end = rows.last?.0 else { return entries }
      last = end
      for (imageID, bytes, known) in rows {
        if !entries.isEmpty, writer.count + bytes.count > most { return entries }
        let hash = try SHA256.digest(of: bytes, path: path)
        // Skip a damaged thumbnail, so that `verify` finds it.
        guard hash == known else { continue }
        entries.append(
          Entry(imageID: imageID, offset: writer.count, bytes: bytes.count, hash: hash)
        )
        try writer.append(bytes)
      }
    }
  }

  /// Notes the positions of thumbnails, except those that have been replaced since they were read.
  private func note(
    _ pack: ObjectPack,
    _ entries: [Entry]
  ) async throws(StoreError) -> Int {
    try await writing { db in
      let insertion = "INSERT INTO pack(sha256, bytes) VALUES ($1, $2) RETURNING id"
      let id: Int64? = try db.value(insertion, pack.hash, pack.bytes)
      let sql = """
        UPDATE thumbnail SET bytes = NULL, pack_id = $1, pack_offset = had.start, pack_bytes = had.count
        FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[])
          AS had(id, start, count, hash)
        WHERE thumbnail.image_id = had.id AND sha256(thumbnail.bytes) = had.hash
        """
      return try db.rows(
        sql,
        with: [
          id, entries.map(\.imageID), entries.map(\.offset), entries.map(\.bytes),
          entries.map(\.hash),
        ]
      ).written
    }
  }

  // MARK: Compaction

  package func compactPacks() async throws(StoreError) {
    guard let packs = packs.withLock({ $0 }) else { return }
    let sparse: [Int64] = try await reading { db in
      let sql = """
        SELECT pack.id FROM pack LEFT JOIN thumbnail ON pack_id = pack.id WHERE emptied_at IS NULL
        GROUP BY pack.id HAVING coalesce(sum(pack_bytes), 0) < pack.bytes * \(Self.leastUse)
        """
      return try db.column(sql)
    }
    for id in sparse where !Task.isCancelled { try await empty(id, of: packs) }
    try await writing { db in
      let sql = """
        DELETE FROM pack WHERE emptied_at < now_seconds() - \(Self.graceSeconds)
          AND NOT EXISTS (SELECT 1 FROM thumbnail WHERE pack_id = pack.id)
        """
      try db.rows(sql)
    }
  }

  /// Moves the remaining thumbnails of a pack back into the database; unreadable ones stay for `verify` to find.
  private func empty(_ id: Int64, of packs: ThumbnailPacks) async throws(StoreError) {
    var last = Int64.min
    while true {
      let rows = try await asking { [last] db in
        let sql = """
          SELECT image_id, thumbnail_sha256, \(ThumbnailPlace.columns)
          FROM \(ThumbnailPlace.source) JOIN image ON image.id = image_id
          WHERE pack_id = $1 AND image_id > $2 ORDER BY image_id LIMIT $3
          """
        return try db.rows(sql, id, last, Self.rowsAtOnce).map { row in
          try (row.value(0) as Int64, ThumbnailPlace(row, at: 2, hash: row.hash(1)))
        }
      }
      guard let end = rows.last?.0 else { break }
      last = end
      let known = rows.compactMap { id, place in place.packed.map { (id, $0) } }
      let bytes = try await packs.bytes(of: known.map(\.1))
      let whole = zip(known, bytes).compactMap { known, bytes in bytes.map { (known.0, $0) } }
      try await writing { db in
        let sql = """
          UPDATE thumbnail SET bytes = had.bytes, pack_id = NULL, pack_offset = NULL, pack_bytes = NULL
          FROM unnest($2::bigint[], $3::bytea[]) AS had(id, bytes)
          WHERE image_id = had.id AND pack_id = $1
          """
        try db.rows(sql, id, whole.map(\.0), whole.map { Bytes($0.1) })
      }
    }
    try await writing { db in
      let sql = "UPDATE pack SET emptied_at = now_seconds() WHERE id = $1"
      try db.rows(sql, id)
    }
  }
}
