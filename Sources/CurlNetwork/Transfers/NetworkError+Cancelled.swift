import Models
import Workers

extension NetworkError {
  /// The end of a transfer that nobody wants any more.
  static func cancelled(_ address: WebAddress) -> NetworkError {
    NetworkError(reason: .cancelled, address: address, message: "cancelled")
  }
}
