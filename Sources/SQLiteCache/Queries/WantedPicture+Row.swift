import FoundationEssentials
import GRDB
import Models
import Workers

extension WantedPicture {
  /// Reads id, date, place, address, the date since when the picture is likely to be what it is, the
  /// date at which the stored one came or NULL, and its validators.
  ///
  /// Nil for an address that is none: such a row was not written by this program.
  init?(_ row: Row) throws {
    guard let address = try WebAddress(row.value(3)) else { return nil }
    let arrival: Int64? = try row.value(5)
    try self.init(
      imageID: row.value(0),
      address: address,
      rank: Rank(date: row.value(1), place: row.value(2)),
      since: Date(storedSeconds: arrival ?? row.value(4)),
      held: arrival == nil ? nil : Validators(entityTag: row.value(6), lastModified: row.value(7))
    )
  }
}
