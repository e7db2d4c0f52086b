internal import CCurl
import Glibc
import Workers

/// What libcurl reports, in terms that can be told.
///
/// libcurl has few codes for many causes. Where its words alone tell them apart, they are looked at;
/// another version's words come to a more general cause.
extension CurlFailure {
  var cause: NetworkError.Cause {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: .unknownHost
    case CURLE_COULDNT_RESOLVE_PROXY: .unknownProxy
    case CURLE_COULDNT_CONNECT: causeOfConnection
    case CURLE_OPERATION_TIMEDOUT: .stalled
    case CURLE_TOO_MANY_REDIRECTS: .redirectsWithoutEnd
    case CURLE_UNSUPPORTED_PROTOCOL:
      says("HTTP/0.9", "HTTP version") ? .notHTTP : .unsupportedScheme
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
    case CURLE_WEIRD_SERVER_REPLY: says("Content-Length") ? .badLength : .notHTTP
    default: says("chunk") ? .badChunks : .other(Int(code.rawValue))
    }
  }

  /// Of a connection that broke, and of what libcurl has no better code for.
  private var causeOfBreak: NetworkError.Cause {
    if says("reset") { return .connectionReset }
    if says("chunk") { return .badChunks }
    if says("in the header") { return .cutHeader }
    if says("before the request", "connection died", "empty reply") { return .noAnswer }
    return .connectionBroken
  }

  /// By OpenSSL's words (X509_verify_cert_error_string).
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
