/// Rows to be added to a table, with the values of one row after those of another.
package struct NewRows {
  package let table: String
  package let columns: [String]
  package var values: Values

  /// Reserves memory for a number of rows.
  package init(into table: String, _ columns: [String], count: Int = 0) {
    (self.table, self.columns) = (table, columns)
    values = Values(count: count * columns.count)
  }

  /// The number of rows.
  package var count: Int { values.count / columns.count }
}
