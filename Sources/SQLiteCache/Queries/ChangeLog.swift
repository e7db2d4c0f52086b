import Store

extension ChangeLog {
  /// The next number, for a statement that changes rows.
  static let next = Dialect.sqlite.nextChange
}
