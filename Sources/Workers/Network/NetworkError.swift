package import FoundationEssentials
package import Models

/// The reason why a transfer has no complete response.
package struct NetworkError: Error, Sendable, Equatable {
  package enum Reason: Sendable, Equatable {
    /// The calling task was cancelled, or the worker was shut down.
    case cancelled
    /// The host's name or the host could not be reached, or not in time; nothing says that the
    /// address is wrong.
    case unreachable
    /// The proxy wants a login, or another one.
    case proxyLogin
    /// Waiting for more took longer than is allowed, or the whole did.
    case timedOut
    /// The whole took longer than the request allows.
    case tooSlow(limit: Duration)
    /// The connection broke, or ended before the declared length.
    case broken
    /// The peer's certificate or TLS is not acceptable.
    case insecure
    /// The peer's certificate is signed by none of the authorities that are trusted.
    case untrusted
    /// The body, once unpacked, is larger than the request allows.
    case tooLarge(limit: Int)
    /// The address, or one it redirects to, is of a kind that is not asked for.
    case refused
    /// The address leads to a private address, there or by a redirect, which the request may not
    /// reach.
    case privateAddress
    /// It leads to an address to which no transfer connects.
    case forbiddenAddress
    /// The host asked for a pause that is too long to wait for.
    case paused(until: Date)
    /// There were too many redirects.
    case tooManyRedirects(limit: Int)
    /// A file that cannot be read, or lies outside the folder it may lie in.
    case unreadableFile
    /// Anything else that the transfer library reports.
    case other
  }

  package var reason: Reason
  /// The address of the request.
  package var address: WebAddress
  /// What happened, if libcurl reports the failure; nil if this project found it.
  package var cause: Cause?
  /// With a cause libcurl's own words, else ours or the system's, without secrets of the address.
  package var message: String

  package init(reason: Reason, address: WebAddress, cause: Cause? = nil, message: String) {
    self.reason = reason
    self.address = address
    self.cause = cause
    self.message = message
  }
}

extension NetworkError {
  /// What libcurl reports about a failed transfer.
  ///
  /// The reason decides what to do about it, and the cause what to tell the user.
  package enum Cause: Sendable, Equatable {
    case unknownHost
    case unknownProxy
    case connectionRefused
    /// No route leads there, or no network is up.
    case noRoute
    /// There was no connection for another reason.
    case unconnected
    /// There was no connection in time.
    case slowConnection
    /// Too little came for too long.
    case stalled
    case connectionReset
    /// The server ended the connection instead of an answer.
    case noAnswer
    case cutHeader
    case cutBody
    /// A stream of HTTP/2 was ended, or the connection of it.
    case cutStream
    /// The connection broke in another way.
    case connectionBroken
    /// The answer breaks a rule of HTTP.
    case notHTTP
    case badChunks
    case badLength
    /// The content encoding is unknown, or its data are damaged.
    case badEncoding
    case excessiveEncodings
    /// TLS was not agreed on.
    case handshake
    case expiredCertificate
    case earlyCertificate
    case revokedCertificate
    case certificateOfOtherHost
    case selfSignedCertificate
    case unknownAuthority
    /// Anything else that is wrong with a certificate.
    case badCertificate
    case unsupportedScheme
    case invalidAddress
    case redirectsWithoutEnd
    case noMemory
    /// Another failure, by the transfer library's number.
    case other(Int)
  }
}
