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

  package init(
    status: Int,
    address: WebAddress,
    validators: Validators = Validators(),
    mediaType: String? = nil,
    charset: String? = nil,
    contentLength: Int? = nil,
    nextPage: WebAddress? = nil
  ) {
    self.status = status
    self.address = address
    self.validators = validators
    self.mediaType = mediaType
    self.charset = charset
    self.contentLength = contentLength
    self.nextPage = nextPage
  }
}
