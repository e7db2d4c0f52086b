package import FoundationEssentials
package import LibraryFiles
package import Workers

/// A library in either database: what runs the queries of `Sources/Store/Queries`.
///
/// The methods that only run queries are here once, in an extension for each subject. A library has methods of its own
/// where the databases differ in more than their SQL: in transactions, locks, packs and the order of flushes.
package protocol DatabaseLibrary: Sendable {
  /// The folder of the library, or of the originals on this machine.
  var folder: LibraryFolder { get }
  /// The room that originals take, and its bounds.
  var room: OriginalRoom { get }
  /// The pictures of a part of the library, as the last question about it found them.
  var parts: PartCache { get }
  /// The machine whose folders of copies a query means; nil in a library of one machine.
  var machine: String? { get }

  /// The time by the clock that all machines of the library use together.
  func now() -> Date

  /// Runs queries against one state of the library.
  func reading<Value: Sendable>(
    _ length: ReadLength,
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value

  /// Runs one query, which reads one state without a transaction.
  func asking<Value: Sendable>(
    _ length: ReadLength,
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value

  /// Reads what this process may just have written.
  func readingWritten<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value

  /// Writes in one transaction, and makes the library when it is missing.
  func writing<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value

  /// Writes in one transaction, and fails when the library is missing: it makes none.
  func changing<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value
}

/// The length of a read.
package enum ReadLength: Sendable {
  /// The look-up of a single item, which never waits for a long list.
  case short
  case long
}

extension DatabaseLibrary {
  /// Runs queries against one state of the library, however long they take.
  package func reading<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await reading(.long, body)
  }

  /// Runs queries against one state of the library; returns `none` if there is no library yet.
  package func reading<Value: Sendable>(
    _ length: ReadLength = .long,
    orNone none: Value,
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value {
    do { return try await reading(length, body) } catch  where error.reason == .noLibrary {
      return none
    }
  }

  /// Reads what this process may just have written; returns `none` if there is no library yet.
  package func readingWritten<Value: Sendable>(
    orNone none: Value,
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws(StoreError) -> Value {
    do { return try await readingWritten(body) } catch  where error.reason == .noLibrary {
      return none
    }
  }
}
