/// A response whose body is still coming.
package struct NetworkResponse: Sendable {
  package var header: NetworkHeader
  package var body: any NetworkBody

  package init(header: NetworkHeader, body: any NetworkBody) {
    self.header = header
    self.body = body
  }
}
