import GRDB

extension Row {
  /// The value of a column, by its place, with an error for one that cannot be what is asked for.
  ///
  /// Only a damaged file has such a value. The subscript would end the program over it.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ index: Int
  ) throws -> Value {
    try decode(Value.self, atIndex: index)
  }
}
