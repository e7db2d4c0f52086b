import CPostgres

/// The rows that a statement of PostgreSQL has returned, in memory.
package final class PostgresRows: RandomAccessCollection {
  let result: OpaquePointer
  package let startIndex = 0
  package let endIndex: Int

  /// Takes ownership of a result of libpq in the binary format.
  init(_ result: OpaquePointer) {
    self.result = result
    endIndex = Int(cpostgres_ntuples(result))
  }

  deinit { cpostgres_clear(result) }

  /// The number of rows that the statement has written.
  package var written: Int { Int(String(cString: cpostgres_cmdTuples(result))) ?? 0 }

  package subscript(index: Int) -> Row {
    Row(.postgres(result, row: Int32(index)), of: self)
  }

  /// The object identifier of a column's type.
  package func type(ofColumn column: Int) -> UInt32 { cpostgres_ftype(result, Int32(column)) }
}
