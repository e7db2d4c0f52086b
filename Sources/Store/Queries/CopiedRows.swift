package import Workers

extension CopiedTable {
  /// The SQL for `LibraryState.rows`, and the values of its parameters.
  ///
  /// - Parameters:
  ///   - source: The source of the columns.
  ///   - after: The key of the row before the first one; nil for the beginning.
  ///   - last: The key of the last row; nil for all rows.
  ///   - limit: The most rows.
  /// - Returns: The statement and the values.
  package func selection(
    from source: String,
    after: [CopiedValue]?,
    through last: [CopiedValue]?,
    limit: Int
  ) -> (sql: String, values: [CopiedValue]) {
    let key = key.joined(separator: ", ")
    var (conditions, values): ([String], [CopiedValue]) = ([], [])
    for (bound, operation) in [(after, ">"), (last, "<=")] {
      guard let bound else { continue }
      let parameters = bound.indices.map { "$\(values.count + $0 + 1)" }
      conditions.append("(\(key)) \(operation) (\(parameters.joined(separator: ", ")))")
      values += bound
    }
    let sql = """
      SELECT \(columns.joined(separator: ", ")) FROM \(source)
      \(conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))")
      ORDER BY \(key) LIMIT \(limit)
      """
    return (sql, values)
  }
}
