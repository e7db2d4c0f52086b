import GRDB
import Store
import Workers

/// The queries of `Store` have a row of their own; the others read GRDB's.
typealias Row = GRDB.Row

/// A connection of GRDB as the queries of `Store` see it, with statements that stay compiled while it is open.
///
/// Only the thread that GRDB has given its connection to uses it.
final class SharedConnection: @unchecked Sendable {
  /// A reference that does not keep the object alive.
  ///
  /// It is an object itself, because Swift 6.3.1 loses a weak reference in a struct that is the value of a dictionary.
  private final class Place: Sendable {
    weak let shared: SharedConnection?

    init(_ shared: SharedConnection) { self.shared = shared }
  }

  /// The objects, by the addresses of their handles.
  private static let all = Locked<[Int: Place]>([:])

  private let address: Int
  fileprivate let connection: Store.Connection

  init(_ handle: OpaquePointer) {
    let address = Int(bitPattern: handle)
    self.address = address
    connection = Store.Connection(SQLiteDriver(sharing: handle))
    let place = Place(self)
    Self.all.withLock { $0[address] = place }
  }

  deinit {
    let address = address
    // A closed connection's handle may already be another one's, whose object still exists.
    Self.all.withLock { all in
      if all[address]?.shared == nil { all[address] = nil }
    }
  }

  fileprivate static func connection(_ handle: OpaquePointer) -> Store.Connection? {
    let address = Int(bitPattern: handle)
    return all.withLock { all in all[address]?.shared }?.connection
  }
}

extension Database {
  /// This connection, for the queries of `Store`, which take part in its transaction.
  var store: Store.Connection {
    guard let sqliteConnection else { preconditionFailure("the connection is closed") }
    return SharedConnection.connection(sqliteConnection)
      ?? Store.Connection(SQLiteDriver(sharing: sqliteConnection))
  }
}
