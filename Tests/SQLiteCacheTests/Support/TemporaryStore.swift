import Foundation
import Models
import Store
import Sync
import TestSupport
import Testing
import Workers

@testable import PostgresStore
@testable import SQLiteCache

/// A library of the kind that the running test checks, with a folder; both are deleted with it.
final class TemporaryStore: TestedLibrary {
  typealias Library = SyncStoring & LibraryManaging & HostPausing & ChangeFollowing & MirrorStoring
    & ObjectRecording & LibraryInspecting & LibraryCleaning & LibraryCopying & ChangeReading
    & LibraryBounding & DetailsStoring

  let library: any Library
  let path: String
  private let files: Files

  /// The library with what only one kind has.
  private enum Files {
    case sqlite(TemporaryLibrary)
    case postgres(TemporaryDatabase)
  }

  /// - Parameters:
  ///   - kind: The kind; nil for the current one.
  ///   - bounds: As in the libraries.
  ///   - objects: As in the libraries.
  ///   - isNew: As in `TemporaryDatabase`.
  /// - Throws: when the library cannot be made.
  init(
    _ kind: StoreKind? = nil,
    bounds: StorageBounds = StorageBounds(),
    objects: String? = nil,
    isNew: Bool = false
  ) throws {
    switch kind ?? .current {
    case .sqlite:
      let folder = try TemporaryLibrary(bounds: bounds, objects: objects)
      (library, path, files) = (folder.library, folder.path, .sqlite(folder))
    case .postgres:
      let database = try TemporaryDatabase(bounds: bounds, objects: objects, isNew: isNew)
      (library, path, files) = (database.library, database.path, .postgres(database))
    }
  }

  var store: any SyncStoring { library }

  /// The library in a folder, for tests of what only that has.
  var sqlite: TemporaryLibrary {
    get throws {
      guard case .sqlite(let folder) = files else { throw NotOfThisKind() }
      return folder
    }
  }

  private struct NotOfThisKind: Error {}

  /// The same library, opened as another program would.
  func reopened(bounds: StorageBounds = StorageBounds()) -> any Library {
    switch files {
    case .sqlite: SQLiteLibrary(folder: path, bounds: bounds)
    case .postgres(let database): database.reopened(bounds: bounds)
    }
  }

  /// Waits until the change log contains all writes: other tests' transactions on the server may delay them.
  func settle() async throws {
    if case .postgres(let database) = files { try await database.settle() }
  }

  // MARK: SQL that both databases understand

  func execute(_ sql: String) throws {
    switch files {
    case .sqlite(let folder): try folder.execute(sql)
    case .postgres(let database): try database.connection.postgres.execute(sql)
    }
  }

  /// Bytes as a value in SQL.
  func bytes(hexadecimal: String) -> String {
    switch files {
    case .sqlite: "x'\(hexadecimal)'"
    case .postgres: #"'\x\#(hexadecimal)'"#
    }
  }

  func numbers(_ sql: String) throws -> [Int64] {
    switch files {
    case .sqlite(let folder): try folder.numbers(sql)
    case .postgres(let database): try database.connection.column(sql)
    }
  }

  /// Throws if the index of words of a library in a folder does not match the rows; a row in PostgreSQL has its own words.
  func checkIndexes() throws { if case .sqlite(let folder) = files { try folder.checkIndexes() } }
}
