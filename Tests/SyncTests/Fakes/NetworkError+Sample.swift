import Models
import Workers

extension NetworkError {
  init(_ reason: Reason, at address: WebAddress) {
    self.init(reason: reason, address: address, message: "as the test wants")
  }
}
