package import Models

extension WebAddress {
  /// The address that a test writes out; one that is none ends the test run.
  package static func at(_ text: String) -> WebAddress {
    guard let address = WebAddress(text) else { preconditionFailure("no address: \(text)") }
    return address
  }
}
