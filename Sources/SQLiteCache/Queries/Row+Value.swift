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

  /// A count, a length or a place, as far from the ends of its type as adding to it needs: beyond that,
  /// too, only a damaged file goes.
  func bounded<Value: DatabaseValueConvertible & StatementColumnConvertible & FixedWidthInteger>(
    _ index: Int
  ) throws -> Value { try (value(index) as Value).bounded }
}

extension FixedWidthInteger {
  /// The nearest number that can be added to and subtracted from.
  var bounded: Self { Swift.min(Swift.max(self, Self.min >> 7), Self.max >> 7) }
}
