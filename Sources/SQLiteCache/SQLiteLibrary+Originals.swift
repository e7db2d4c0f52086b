package import FoundationEssentials
import GRDB
package import Models
package import Workers

extension SQLiteLibrary: OriginalStoring {
  package func originalCount(feedID: Int64) throws(StoreError) -> Int {
    try reader.read { db in try OriginalQueries.wantedCount(feedID: feedID, db) }
  }

  package func originalOrders(
    feedID: Int64,
    after last: PictureOrder?,
    limit: Int
  ) throws(StoreError) -> [PictureOrder] {
    try reader.read { db in
      try OriginalQueries.orders(feedID: feedID, after: last, limit: limit, db)
    }
  }

  package func makeOriginalFile(imageID: Int64) async throws(StoreError) -> any OriginalWriting {
    try makeFolder(folder.partial, in: folder.path)
    let file = try await PartialFile.open(folder.partial(imageID: imageID))
    return OriginalFile(file, imageID: imageID, library: self)
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
