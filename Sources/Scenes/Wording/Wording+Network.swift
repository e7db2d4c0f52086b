import Models
import Workers

extension Wording {
  /// A transfer's failure, in our words: they are the same for every transfer that failed alike.
  static func reason(_ error: NetworkError) -> String {
    switch error.reason {
    case .cancelled: "interrupted"
    case .tooLarge(let limit): "larger than the limit of \(size(limit))"
    case .privateAddress:
      "\(clause(error.message)), which its feed may reach only once it is synced with --allow-private"
    case .forbiddenAddress: "\(clause(error.message)), which gallery never connects to"
    case .proxyLogin: loginOfProxy
    case .paused(let date): "the server asks to wait until \(localTime(date))"
    case .tooSlow(let limit): "it took longer than \(duration(limit))"
    case .tooManyRedirects(let limit): "more than \(count(limit, "redirect"))"
    case .unreachable, .timedOut, .broken, .insecure, .untrusted, .refused, .unreadableFile, .other:
      error.cause.map(reason) ?? clause(error.message)
    }
  }

  static let loginOfProxy = "the proxy wants a name and a password, or other ones (407)"

  private static func reason(_ cause: NetworkError.Cause) -> String {
    switch cause {
    case .unknownHost: "the name of the server cannot be looked up"
    case .unknownProxy: "the name of the proxy cannot be looked up"
    case .connectionRefused: "the server refuses connections"
    case .noRoute: "no network leads to the server"
    case .unconnected: "the server cannot be connected to"
    case .slowConnection: "the server cannot be connected to in time"
    case .stalled: "the server is too slow, or has stopped sending"
    case .connectionReset: "the server has reset the connection"
    case .noAnswer: "the server has closed the connection without an answer"
    case .cutHeader: "the connection ended in the header"
    case .cutBody: "the connection ended before all had come"
    case .cutStream: "the server has ended the HTTP/2 stream too early"
    case .connectionBroken: "the connection broke"
    case .notHTTP: "the server's answer is not valid HTTP"
    case .badChunks: "the server's answer has chunks that are not valid HTTP"
    case .badLength: "the server's answer gives a length that is not valid"
    case .badEncoding: "the content encoding of the server's answer is damaged"
    case .excessiveEncodings: "the server's answer is encoded too many times"
    case .handshake: "the server and this program cannot agree on TLS"
    case .noMemory: "not enough memory"
    case .unsupportedScheme: "it leads to an address that is neither https nor http"
    case .invalidAddress: "it leads to an address that is not valid"
    case .redirectsWithoutEnd: "too many redirects"
    case .other(let number): "the transfer failed (libcurl's error \(number))"
    default: "the server's certificate \(fault(of: cause))"
    }
  }

  private static func fault(of certificate: NetworkError.Cause) -> String {
    switch certificate {
    case .expiredCertificate: "has expired"
    case .earlyCertificate: "is not valid yet"
    case .revokedCertificate: "has been revoked"
    case .certificateOfOtherHost: "is for another host"
    case .selfSignedCertificate: "is not trusted: it is self-signed"
    case .unknownAuthority: "is not trusted: its issuer is unknown"
    default: "is not valid"
    }
  }
}
