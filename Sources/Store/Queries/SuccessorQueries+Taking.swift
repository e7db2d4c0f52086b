package import FoundationEssentials
package import LibraryFiles
package import Models
package import Workers

/// Puts pictures that are kept beside stored ones in their places.
extension SuccessorQueries {
  /// The thumbnail beside an image's stored one, as if it arrived now; nil without one.
  package static func thumbnail(
    besideThatOf imageID: Int64,
    now: Date,
    _ db: Connection
  ) throws -> (kind: PictureKind, thumbnail: FetchedThumbnail)? {
    guard let stored = try rows(imageID: imageID, db).first(where: { $0.kind == .thumbnail }),
      let bytes = stored.picture
    else { return nil }
    guard let (kind, address) = try place(of: stored, imageID: imageID, db) else { return nil }
    var thumbnail = FetchedThumbnail(
      imageID: imageID,
      address: address,
      validators: stored.validators,
      info: stored.info,
      bytes: bytes,
      fetched: now,
      checkDate: now,
      sourceSHA256: stored.sourceSHA256
    )
    thumbnail.isRedirected = stored.doubts.contains(.redirected)
    return (kind, thumbnail)
  }

  /// The address under which a thumbnail is an image's now, and whether as the named one or as a made one.
  ///
  /// The address may have a new signature since the thumbnail arrived. Nil when the feed names another picture, which
  /// is left to the next sync.
  private static func place(
    of stored: Stored,
    imageID: Int64,
    _ db: Connection
  ) throws -> (kind: PictureKind, address: WebAddress)? {
    let sql = "SELECT thumbnail_state, thumbnail_address, original_address FROM image WHERE id = $1"
    return try db.row(sql, imageID) { row in
      let state: ThumbnailState = try row.value(raw: 0) ?? .wanted
      let named = try row.address(1).map { (kind: PictureKind.thumbnail, address: $0) }
      // A made one may be there although the feed names one, which has failed.
      let made =
        try state == .made || state == .unmade
        ? row.address(2).map { (kind: PictureKind.madeThumbnail, address: $0) } : nil
      return [made, named].compactMap { $0 }.first { _, address in
        address.identity == stored.address.identity || address.namesSameFile(as: stored.address)
          || state.isRight && address.sharesName(with: stored.address)
      }
    }
  }

  /// Puts the original beside an image's stored one in its place; returns the id of the one that was stored.
  ///
  /// Nil when there is none, or when its file is missing.
  package static func takeOriginal(
    imageID: Int64,
    in folder: LibraryFolder,
    now: Date,
    _ db: Connection
  ) throws -> Int64? {
    guard let stored = try rows(imageID: imageID, db).first(where: { $0.kind == .original }),
      let before = try OriginalQueries.originalID(of: imageID, db),
      FileSystem.size(of: folder.original(sha256: stored.sha256, stored.info.format))
        == stored.info.bytes
    else { return nil }
    var receipt = OriginalReceipt(
      info: stored.info,
      address: stored.address,
      validators: stored.validators,
      arrived: now,
      checkDate: now,
      lookedAt: now
    )
    receipt.isRedirected = stored.doubts.contains(.redirected)
    try OriginalQueries.store(receipt, sha256: stored.sha256, imageID: imageID, db)
    try ReplacedOriginals.accept(imageID: imageID, db)
    return before
  }
}
