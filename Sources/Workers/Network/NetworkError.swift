package import FoundationEssentials
package import Models

/// The reason why a transfer has no complete response.
package struct NetworkError: Error, Sendable, Equatable {
  package enum Reason: Sendable, Equatable {
    /// The calling task was cancelled, or the worker was shut down.
    case cancelled
    /// The host or its name could not be reached, or not in time.
    ///
    /// This does not mean that the address is wrong.
    case unreachable
    /// The proxy requires a login, or a different one.
    case proxyLogin
    /// The next data, or the whole response, took longer than is allowed.
    case timedOut
    /// The whole response took longer than the request allows.
    case tooSlow(limit: Duration)
    /// The connection broke, or ended before the declared length.
    case broken
    /// The peer's certificate or TLS is not acceptable.
    case insecure
    /// The peer's certificate is not signed by a trusted authority.
    case untrusted
    /// The body, once unpacked, is larger than the request allows.
    case tooLarge(limit: Int)
    /// The address, or a redirect's target, is of a kind that this program does not request.
    case refused
    /// The address or a redirect leads to a private address, which the request may not reach.
    case privateAddress
    /// The address leads to one to which transfers never connect.
    case forbiddenAddress
    /// The host asked for a pause that is longer than the wait.
    case paused(until: Date)
    /// There were too many redirects.
    case tooManyRedirects(limit: Int)
    /// A file cannot be read, or lies outside its allowed folder.
    case unreadableFile
    /// Anything else that the transfer library reports.
    case other
  }

  package var reason: Reason
  /// The address of the request.
  package var address: WebAddress
  /// The cause, if libcurl reports the failure; nil if this program detected it.
  package var cause: Cause?
  /// The message of libcurl if there is a cause, else of this program or the system; it has no secrets of the address.
  package var message: String

  package init(reason: Reason, address: WebAddress, cause: Cause? = nil, message: String) {
    self.reason = reason
    self.address = address
    self.cause = cause
    self.message = message
  }
}

extension NetworkError {
  /// A failure of a transfer that libcurl reports.
  ///
  /// The reason decides how to handle it; the cause decides the message for the user.
  package enum Cause: Sendable, Equatable {
    case unknownHost
    case unknownProxy
    case connectionRefused
    /// The destination has no route, or no network is available.
    case noRoute
    /// The connection failed for another reason.
    case unconnected
    /// The connection was not made in time.
    case slowConnection
    /// The transfer was too slow for too long.
    case stalled
    case connectionReset
    /// The server closed the connection without an answer.
    case noAnswer
    case cutHeader
    case cutBody
    /// The server ended the stream of HTTP/2, or its connection.
    case cutStream
    /// The connection broke in another way.
    case connectionBroken
    /// The response breaks a rule of HTTP.
    case notHTTP
    case badChunks
    case badLength
    /// The content encoding is unknown, or its data is damaged.
    case badEncoding
    case excessiveEncodings
    /// The TLS handshake failed.
    case handshake
    case expiredCertificate
    case earlyCertificate
    case revokedCertificate
    case certificateOfOtherHost
    case selfSignedCertificate
    case unknownAuthority
    /// Another fault of a certificate.
    case badCertificate
    case unsupportedScheme
    case invalidAddress
    case redirectsWithoutEnd
    case noMemory
    /// Another failure, by libcurl's error number.
    case other(Int)
  }
}
