import FoundationEssentials
import GRDB
import Models
import Workers

extension PictureOrder {
  /// Reads id, date, place, address, the date since when the picture is likely to be what it is, the
  /// date at which the stored one came or NULL, and its validators.
  ///
  /// Nil for an address that is none: such a row was not written by this program.
  init?(_ row: Row) {
    guard let address = WebAddress(row[3]) else { return nil }
    let arrival: Int64? = row[5]
    self.init(
      imageID: row[0],
      address: address,
      rank: Rank(date: row[1], place: row[2]),
      since: Date(storedSeconds: arrival ?? row[4]),
      held: arrival == nil ? nil : Validators(entityTag: row[6], lastModified: row[7])
    )
  }
}
