package import FoundationEssentials
package import Models

/// The header of a final response.
package struct NetworkHeader: Sendable, Equatable {
  /// The status code; a file that could be read has status 200.
  package var status: Int
  /// The address of the response, after redirects.
  package var address: WebAddress
  /// The validators for the next request.
  package var validators: Validators
  /// The media type without its parameters, in lower case.
  package var mediaType: String?
  /// The `charset` parameter of the media type, as written.
  package var charset: String?
  /// The declared length of the body in bytes, as sent (RFC 9110, section 8.6).
  package var contentLength: Int?
  /// The next page that the header names (RFC 8288, `rel="next"`).
  package var nextPage: WebAddress?
  /// The links in the header for subscribing to the document (RFC 8288, `rel="hub"`, `rel="self"`).
  package var push = PushLinks()
  /// The range of the body in the whole (206), or the length of the whole (416).
  package var contentRange: ContentRange?
  /// Whether the server compressed the body, which is delivered decompressed.
  package var isEncoded: Bool
  /// The seconds for which the response is fresh, by `Cache-Control` or `Expires`, minus its `Age`.
  ///
  /// It is 0 when each use needs a request, and nil when the server does not say (RFC 9111, section 4.2).
  package var freshSeconds: Int?
  /// When the server made the response, by its own clock.
  package var date: Date?
  /// The `Last-Modified` field as a date.
  package var modified: Date?
  /// The address to which it has moved permanently (RFC 9110, section 15.4); nil if it has not moved.
  ///
  /// It is the last target that was reached by redirects with status 301 or 308 only.
  package var permanentAddress: WebAddress?
  /// The end of the pause that the server asks for (RFC 9110, section 10.2.3), at most a day away.
  package var retryAfter: Date?
  /// The peer of the first connection, before redirects; nil for a file.
  package var firstPeer: NetworkPeer?

  package init(
    status: Int,
    address: WebAddress,
    validators: Validators = Validators(),
    mediaType: String? = nil,
    charset: String? = nil,
    contentLength: Int? = nil,
    nextPage: WebAddress? = nil,
    contentRange: ContentRange? = nil,
    isEncoded: Bool = false,
    freshSeconds: Int? = nil,
    date: Date? = nil,
    modified: Date? = nil,
    permanentAddress: WebAddress? = nil,
    retryAfter: Date? = nil,
    firstPeer: NetworkPeer? = nil
  ) {
    self.status = status
    self.address = address
    self.validators = validators
    self.mediaType = mediaType
    self.charset = charset
    self.contentLength = contentLength
    self.nextPage = nextPage
    self.contentRange = contentRange
    self.isEncoded = isEncoded
    self.freshSeconds = freshSeconds
    self.date = date
    self.modified = modified
    self.permanentAddress = permanentAddress
    self.retryAfter = retryAfter
    self.firstPeer = firstPeer
  }
}

/// The `Content-Range` of a response (RFC 9110, section 14.4).
package struct ContentRange: Sendable, Equatable {
  /// The range of the body in the whole; nil when the requested range does not exist (416).
  package var bytes: ClosedRange<Int>?
  /// The length of the whole in bytes; nil when the server does not know it.
  package var total: Int?

  package init(bytes: ClosedRange<Int>?, total: Int?) {
    self.bytes = bytes
    self.total = total
  }
}
