import Foundation
import Models
import Store
import TestSupport
import Workers

@testable import PostgresStore

/// A library in a schema of PostgreSQL, with a folder, which is deleted with it.
///
/// Making the tables takes half a second. So the tests use the schemas one after another, each time emptied.
final class TemporaryDatabase {
  let library: PostgresLibrary
  /// The folder of originals.
  let path: String
  private let place: DatabasePlace
  private let isNew: Bool

  /// - Parameters:
  ///   - bounds: As in `PostgresLibrary`.
  ///   - objects: As in `PostgresLibrary`.
  ///   - isNew: Whether the schema has no tables yet, and no test uses it afterwards.
  /// - Throws: when there is no server.
  init(
    bounds: StorageBounds = StorageBounds(),
    objects: String? = nil,
    isNew: Bool = false
  ) throws {
    self.isNew = isNew
    place = try isNew ? DatabasePlace() : DatabasePlace.take()
    path = place.path
    // A library remembers the folders that it has made, so it is not used again.
    library = PostgresLibrary(place.address, folder: path, bounds: bounds, objects: objects)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    if !isNew { place.giveBack() }
  }

  /// The schema of its tables.
  var schema: String { place.schema }

  /// A separate connection for reading and changing the tables.
  var connection: Connection { place.connection }

  func reopened(bounds: StorageBounds = StorageBounds()) -> PostgresLibrary {
    PostgresLibrary(place.address, folder: path, bounds: bounds)
  }

  /// Waits until all transactions that have already begun have ended.
  func settle() async throws {
    let next = try number("xmax")
    while try number("xmin") < next { try await Task.sleep(for: .milliseconds(2)) }
  }

  /// A bound of the snapshot: the first transaction that has not begun, or the first that has not ended.
  private func number(_ part: String) throws -> Int64 {
    try connection.value("SELECT pg_snapshot_\(part)(pg_current_snapshot())::text::bigint") ?? 0
  }
}

/// A schema; one test at a time uses it.
private final class DatabasePlace: @unchecked Sendable {
  let schema: String
  let path: String
  let address: PostgresAddress
  let connection: Connection
  /// The places that no test uses now.
  private static let free = Locked<[DatabasePlace]>([])

  /// Creates a schema without tables.
  init() throws {
    let server = try PostgresServer.shared.get()
    schema = "t" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
    path = FileManager.default.temporaryDirectory.path + "/gallery-test-\(schema)"
    guard let address = PostgresAddress(server.address(schema: schema)) else {
      preconditionFailure(schema)
    }
    self.address = address
    connection = Connection(try PostgresDriver(address.parameters()))
    try connection.postgres.execute("CREATE SCHEMA \(schema); SET lock_timeout = '600s'")
  }

  /// A schema with the tables of an empty library.
  static func take() throws -> DatabasePlace {
    if let place = free.withLock({ $0.popLast() }) { return place }
    let place = try DatabasePlace()
    try place.connection.postgres.execute(Schema.statements)
    return place
  }

  func giveBack() {
    do {
      // A test whose transactions have not ended spoils its own schema only.
      try connection.postgres.execute("SET lock_timeout = '2s'")
      try connection.postgres.execute(Self.emptying)
      try connection.postgres.execute("SET lock_timeout = '600s'")
      Self.free.withLock { $0.append(self) }
    } catch { try? connection.postgres.execute("ROLLBACK; DROP SCHEMA \(schema) CASCADE") }
  }

  private static let tables = [
    "member_image", "member", "listed_feed", "feed_alias", "feed", "image", "thumbnail", "pack",
    "image_original", "original", "damage", "picture_failure", "subscription", "feed_lock",
    "setting", "mirror_thumbnail", "mirror_image", "mirror_feed", "mirror", "followed_folder",
    "verification", "host", "tombstone", "pin", "mirror_key", "rendition",
    "successor", "replaced_original", "picture_redirect", "folder_original",
    "picture_details",
  ]

  private static let sequences = [
    "image_id", "feed_id_seq", "member_id_seq", "pack_id_seq", "original_id_seq",
  ]

  /// Makes the library one that was made just now; a truncation would take longer than making the tables.
  private static let emptying =
    "BEGIN;" + tables.map { "DELETE FROM \($0);" }.joined()
    + sequences.map { "SELECT setval('\($0)', 1, false);" }.joined()
      + """
      UPDATE library SET schema_version = \(Schema.version), uuid = gen_random_uuid(), epoch = 1,
        change_base = 0, pruned_seq = 0;
      COMMIT
      """
}
