internal import CCurl
import Models
import Workers

/// What libcurl reports about a transfer that failed.
struct CurlFailure {
  let code: CURLcode
  let message: String

  var reason: NetworkError.Reason {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
      .unreachable
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects(limit: TransferLimits.redirects)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT: .refused
    default: reasonOfConnection
    }
  }

  private var reasonOfConnection: NetworkError.Reason {
    switch code {
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2,
      CURLE_HTTP2_STREAM, CURLE_BAD_CONTENT_ENCODING:
      .broken
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      .insecure
    default: .other
    }
  }

  /// libcurl's words, with the address and its user-info masked where they quote them.
  func message(about address: WebAddress) -> String { Self.masked(message, about: address) }

  static func masked(_ message: String, about address: WebAddress) -> String {
    let words = message.replacing(address.text, with: address.masked)
    guard let userInfo = address.userInfo else { return words }
    return words.replacing(userInfo, with: "***")
  }
}

extension WebAddress {
  /// What stands before the host, as written; nil when nothing does.
  fileprivate var userInfo: Substring? {
    let afterScheme = text.drop { $0 != "/" }.drop { $0 == "/" }
    let authority = afterScheme.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard let at = authority.lastIndex(of: "@"), at > authority.startIndex else { return nil }
    return authority[..<at]
  }
}
