import GRDB

extension Statement {
  /// Makes something of each row of the answer, and leaves out those that nothing is made of.
  ///
  /// GRDB's own cursors are generic types, which are put together at the first use of each in a
  /// process: that takes longer than a few rows do.
  func rows<Element>(
    _ arguments: StatementArguments = [],
    _ element: (Row) throws -> Element?
  ) throws -> [Element] {
    var elements: [Element] = []
    let rows = try Row.fetchCursor(self, arguments: arguments)
    while let row = try rows.next() {
      if let element = try element(row) { elements.append(element) }
    }
    return elements
  }
}
