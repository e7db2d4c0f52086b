/// A request of a `FetchGroup`, with the number that its answer comes under.
package struct NumberedRequest: Sendable {
  package var number: Int
  package var request: NetworkRequest

  package init(number: Int, request: NetworkRequest) {
    self.number = number
    self.request = request
  }
}
