import Foundation
import Models
import Store
import TestSupport
import Workers

@testable import PostgresStore

/// A library in a separate schema of PostgreSQL, with a folder; both are deleted with it.
final class TemporaryDatabase {
  let library: PostgresLibrary
  /// The schema of its tables.
  let schema: String
  private let path: String
  private let address: PostgresAddress

  /// Creates the schema and the folder.
  ///
  /// - Parameters:
  ///   - bounds: As in `PostgresLibrary`.
  ///   - objects: As in `PostgresLibrary`.
  /// - Throws: when there is no server.
  init(bounds: StorageBounds = StorageBounds(), objects: String? = nil) throws {
    let server = try PostgresServer.shared.get()
    schema = "t" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
    path = FileManager.default.temporaryDirectory.path + "/gallery-test-\(schema)"
    try server.execute("CREATE SCHEMA \(schema)")
    guard let address = PostgresAddress(server.address(schema: schema)) else {
      preconditionFailure(schema)
    }
    self.address = address
    library = PostgresLibrary(address, folder: path, bounds: bounds, objects: objects)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func reopened() -> PostgresLibrary { PostgresLibrary(address, folder: path) }

  /// Waits until all transactions that have already begun have ended.
  func settle() async throws {
    let next = try await number("xmax")
    while try await number("xmin") < next { try await Task.sleep(for: .milliseconds(2)) }
  }

  /// A bound of the snapshot: the first transaction that has not begun, or the first that has not ended.
  private func number(_ part: String) async throws -> Int64 {
    try await library.reading { db in
      let sql = "SELECT pg_snapshot_\(part)(pg_current_snapshot())::text::bigint"
      return try db.rows(sql).first?.value(0) ?? 0
    }
  }
}
