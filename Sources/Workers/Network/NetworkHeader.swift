package import FoundationEssentials
package import Models

/// The header of a final response.
package struct NetworkHeader: Sendable, Equatable {
  /// The status code; a file that could be read answers 200.
  package var status: Int
  /// Where the response came from, after redirects.
  package var address: WebAddress
  /// What to ask with next time.
  package var validators: Validators
  /// The media type without its parameters, in lower case.
  package var mediaType: String?
  /// The `charset` parameter of the media type, as written.
  package var charset: String?
  /// How many bytes the body is declared to have, as sent (RFC 9110, section 8.6).
  package var contentLength: Int?
  /// What the header names as the next page (RFC 8288, `rel="next"`).
  package var nextPage: WebAddress?
  /// Which part of the whole the body is (206), or why there is none (416).
  package var contentRange: ContentRange?
  /// Whether the server has compressed the body; it is delivered unpacked.
  package var isEncoded: Bool
  /// For how many seconds the response may be used without asking again, from `Cache-Control` or
  /// `Expires`, less its `Age` (RFC 9111, section 4.2); 0 when it must be asked for each time, nil
  /// when the server says nothing.
  package var freshSeconds: Int?
  /// When the server says that it made the response.
  package var date: Date?
  /// The `Last-Modified` field as a date.
  package var modified: Date?
  /// Where the address has moved for good: how far its redirects were 301 or 308 without a break
  /// (RFC 9110, section 15.4); nil when the first was neither.
  package var permanentAddress: WebAddress?
  /// Before when the server does not want to be asked again (RFC 9110, section 10.2.3), clamped.
  package var retryAfter: Date?
  /// Where the first connection led, before redirects; nil for a file.
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
