internal import CCurl
import Models
import Workers

/// What libcurl reports about a transfer that failed.
struct CurlFailure {
  let code: CURLcode
  /// libcurl's words, without secrets.
  let message: String
  /// What a proxy answered to the wish for a connection through it; 0 without one.
  var proxyStatus = 0
  /// What the system said of the last connection that failed; 0 for nothing.
  var systemError: Int32 = 0

  var reason: NetworkError.Reason {
    switch code {
    case _ where proxyStatus == 407: .proxyLogin
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
    case CURLE_SSL_CONNECT_ERROR: isBrokenHandshake ? .broken : .insecure
    case CURLE_PEER_FAILED_VERIFICATION: isUntrusted ? .untrusted : .insecure
    case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      .insecure
    default: .other
    }
  }

  /// Whether TLS was not agreed on because the connection broke, and not for what the peer said.
  ///
  /// libcurl has one code for both, and tells them apart in its words alone.
  var isBrokenHandshake: Bool {
    says("SSL_connect: ", "Recv failure", "Send failure", "unexpected eof")
  }

  /// Whether the certificate is right but for its authority.
  private var isUntrusted: Bool {
    causeOfCertificate == .selfSignedCertificate || causeOfCertificate == .unknownAuthority
  }

  /// Whether libcurl's words hold some others, in upper or lower case.
  func says(_ signs: String...) -> Bool {
    let words = message.lowercased().utf8
    return signs.contains { words.firstRange(of: $0.lowercased().utf8) != nil }
  }

  /// Whether the same try may come out otherwise before long.
  var isRetryable: Bool {
    switch reason {
    case .unreachable, .timedOut: true
    case .broken: code != CURLE_BAD_CONTENT_ENCODING
    default: false
    }
  }

  /// Whether no host or no connection to it was found; a time-out does not say.
  var isUnconnected: Bool { reason == .unreachable }

  /// Words of libcurl's with an address and its user-info masked where they quote them.
  ///
  /// By bytes: a combining mark behind an `@` makes another character of it, and hides no secret.
  static func masked(_ message: String, about address: WebAddress) -> String {
    var words = Array(message.utf8).replacing(address.text.utf8, with: address.masked.utf8)
    if let userInfo = address.userInfo { words.replace(userInfo.utf8, with: "***".utf8) }
    return String(decoding: words, as: UTF8.self)
  }
}
