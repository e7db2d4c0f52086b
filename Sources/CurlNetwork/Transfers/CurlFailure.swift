internal import CCurl
import Glibc
import Models
import Workers

/// A failure of a transfer, as libcurl reports it.
struct CurlFailure {
  let code: CURLcode
  /// libcurl's message, without secrets.
  let message: String
  /// The status of a proxy's response to CONNECT; 0 when there was no such response.
  var proxyStatus = 0
  /// The system's error number for the last connection that failed; 0 if none was reported.
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
      CURLE_HTTP2_STREAM, CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
      .broken
    case CURLE_SSL_CONNECT_ERROR: isBrokenHandshake ? .broken : .insecure
    case CURLE_PEER_FAILED_VERIFICATION: isUntrusted ? .untrusted : .insecure
    case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      .insecure
    default: .other
    }
  }

  /// Whether the TLS handshake failed because the connection broke, not because the peer refused it.
  ///
  /// libcurl has one code for both cases; only its messages differ.
  var isBrokenHandshake: Bool {
    says("SSL_connect: ", "Recv failure", "Send failure", "unexpected eof")
  }

  /// Whether the certificate is rejected only because its authority is unknown.
  private var isUntrusted: Bool {
    causeOfCertificate == .selfSignedCertificate || causeOfCertificate == .unknownAuthority
  }

  /// Whether libcurl's message contains one of the texts, ignoring case.
  func says(_ signs: String...) -> Bool {
    let words = message.lowercased().utf8
    return signs.contains { words.firstRange(of: $0.lowercased().utf8) != nil }
  }

  /// Whether another attempt may succeed soon.
  var isRetryable: Bool {
    switch reason {
    case .unreachable, .timedOut: true
    case .broken: code != CURLE_BAD_CONTENT_ENCODING && code != CURLE_WRITE_ERROR
    default: false
    }
  }

  /// Whether no connection to a host was made; false after a time-out, which may have either cause.
  var isUnconnected: Bool { reason == .unreachable }

  /// Masks the secrets of an address in a message, comparing bytes.
  ///
  /// Compared as characters, an `@` followed by a combining mark would not match.
  static func masked(_ message: String, about address: WebAddress) -> String {
    var words = Array(message.utf8).replacing(address.text.utf8, with: address.masked.utf8)
    if let userInfo = address.userInfo { words.replace(userInfo.utf8, with: "***".utf8) }
    return String(decoding: words, as: UTF8.self)
  }
}

/// The cause of a failure.
///
/// libcurl has few codes for many causes, so its messages distinguish some of them. If another version words a message
/// differently, the cause is more general.
extension CurlFailure {
  var cause: NetworkError.Cause {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: .unknownHost
    case CURLE_COULDNT_RESOLVE_PROXY: .unknownProxy
    case CURLE_COULDNT_CONNECT: causeOfConnection
    case CURLE_OPERATION_TIMEDOUT: .stalled
    case CURLE_TOO_MANY_REDIRECTS: .redirectsWithoutEnd
    // The messages about an address name its scheme; those about an answer differ from version to version.
    case CURLE_UNSUPPORTED_PROTOCOL:
      says("protocol \"", "unsupported protocol", "URL scheme") ? .unsupportedScheme : .notHTTP
    case CURLE_URL_MALFORMAT: .invalidAddress
    case CURLE_OUT_OF_MEMORY: .noMemory
    case CURLE_SSL_CONNECT_ERROR: isBrokenHandshake ? causeOfBreak : .handshake
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE:
      causeOfCertificate
    case CURLE_SSL_CIPHER: .handshake
    default: causeInAnswer
    }
  }

  private var causeOfConnection: NetworkError.Cause {
    switch systemError {
    case ECONNREFUSED: .connectionRefused
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL: .noRoute
    case ETIMEDOUT: .slowConnection
    default: .unconnected
    }
  }

  private var causeInAnswer: NetworkError.Cause {
    switch code {
    case CURLE_GOT_NOTHING: .noAnswer
    case CURLE_PARTIAL_FILE: .cutBody
    case CURLE_HTTP2, CURLE_HTTP2_STREAM: .cutStream
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR: causeOfBreak
    case CURLE_BAD_CONTENT_ENCODING:
      says("content encodings") ? .excessiveEncodings : .badEncoding
    // Transfers have another reason when they take no more bytes, so libcurl could not decompress these.
    case CURLE_WRITE_ERROR: .badEncoding
    case CURLE_WEIRD_SERVER_REPLY: says("Content-Length") ? .badLength : .notHTTP
    // A trailer without a colon is a bad argument to libcurl, and only the message tells it apart from others.
    case CURLE_BAD_FUNCTION_ARGUMENT where says("response header"): .notHTTP
    default: says("chunk") ? .badChunks : .other(Int(code.rawValue))
    }
  }

  /// The cause of a broken connection, or of a failure for which libcurl has no better code.
  private var causeOfBreak: NetworkError.Cause {
    if says("reset") { return .connectionReset }
    if says("chunk") { return .badChunks }
    if says("in the header") { return .cutHeader }
    if says("before the request", "connection died", "empty reply") { return .noAnswer }
    return .connectionBroken
  }

  /// The cause of a rejected certificate, from the message of OpenSSL (X509_verify_cert_error_string).
  var causeOfCertificate: NetworkError.Cause {
    if says("has expired") { return .expiredCertificate }
    if says("not yet valid") { return .earlyCertificate }
    if says("revoked") { return .revokedCertificate }
    if says("subject name", "hostname mismatch", "not valid for") { return .certificateOfOtherHost }
    if says("self-signed cert", "self signed cert") { return .selfSignedCertificate }
    if says("issuer certificate", "first certificate") { return .unknownAuthority }
    return .badCertificate
  }
}
