package import FoundationEssentials
import GRDB
package import Models
package import Workers

extension SQLiteLibrary: OriginalStoring {
  package func originalCount(
    feedID: Int64,
    _ wish: PictureWish
  ) throws(StoreError) -> PictureCount {
    try reader.read(OriginalQueries.wanted(feedID: feedID, wish).count)
  }

  package func declaredBytesOfOriginals(feedID: Int64) throws(StoreError) -> Int {
    try reader.read { db in try OriginalQueries.declaredBytes(feedID: feedID, db) }
  }

  package func originalOrders(
    feedID: Int64,
    _ wish: PictureWish,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder] {
    let query = OriginalQueries.wanted(feedID: feedID, wish)
    return try reader.read { db in try query.rows(after: last, limit: limit, db) }
  }

  package func dueOriginals(
    feedID: Int64,
    _ wish: PictureWish
  ) throws(StoreError) -> [Int64] {
    try reader.read { db in try CheckQueries.due(.original, feedID: feedID, wish, db) }
  }

  package func originalChecks(imageIDs: [Int64]) throws(StoreError) -> [PictureOrder] {
    try reader.read { db in try CheckQueries.orders(.original, imageIDs: imageIDs, db) }
  }

  package func note(_ failures: [FailedPicture]) throws(StoreError) {
    try write { db in try FailureQueries.note(failures, .original, db) }
  }

  package func makeOriginalFile(imageID: Int64) async throws(StoreError) -> any OriginalWriting {
    // Before a byte is asked for: what has nowhere to go in the end need not come.
    try makeFolders([folder.originals, folder.partial], in: folder.path)
    let file = try await PartialFile.open(folder.partial(imageID: imageID))
    return try OriginalFile(file, imageID: imageID, library: self)
  }

  package func renewOriginal(
    imageID: Int64,
    at address: WebAddress,
    validators: Validators,
    checkDate: Date
  ) throws(StoreError) -> StoredOriginal? {
    try write { db in
      try OriginalQueries.renew(
        imageID: imageID,
        at: address,
        validators: validators,
        checkDate: checkDate,
        db
      )
      return try OriginalQueries.file(imageID: imageID, db).map { StoredOriginal($0, in: folder) }
    }
  }
}
