import FoundationEssentials
package import Models

/// Which version of an original its first bytes belong to: only the rest of that same one may
/// follow them.
package struct OriginalVersion: Sendable, Equatable {
  /// The address it was asked for under.
  package var address: WebAddress
  package var validators: Validators
  /// What to make the asking for the rest depend on; nil when the rest cannot be asked for.
  package var rangeValidator: String?
  /// How many bytes the whole has; nil when the server does not say.
  package var total: Int?

  package init(
    address: WebAddress,
    validators: Validators = Validators(),
    rangeValidator: String? = nil,
    total: Int? = nil
  ) {
    self.address = address
    self.validators = validators
    self.rangeValidator = rangeValidator
    self.total = total
  }

  /// The version of which a response brings all.
  ///
  /// What has been compressed for the way has neither the length nor the bytes that are kept, so
  /// that no rest of it can be asked for.
  init(_ header: NetworkHeader, from address: WebAddress) {
    self.init(
      address: address,
      validators: header.validators,
      rangeValidator: header.isEncoded ? nil : Self.rangeValidator(of: header),
      total: header.isEncoded ? nil : header.contentLength
    )
  }

  /// A strong entity tag, else a date that is as good (RFC 9110, section 13.1.5).
  ///
  /// That section wants no date from a client that holds a weak tag. Servers that give weak tags
  /// alone could then never be asked for a rest; so the date is sent, and the tag of the response
  /// must be the same one (`holds`).
  private static func rangeValidator(of header: NetworkHeader) -> String? {
    if let tag = header.validators.entityTag, tag.hasPrefix("\"") { return tag }
    return hasStrongDate(header) ? header.validators.lastModified : nil
  }

  /// Whether nothing can have changed within the second of the `Last-Modified` field after the
  /// response was made (RFC 9110, section 8.8.2.2).
  private static func hasStrongDate(_ header: NetworkHeader) -> Bool {
    guard let date = header.date, let modified = header.modified else { return false }
    return date.timeIntervalSince(modified) >= 1
  }

  /// Whether what a response with a part says of the whole agrees.
  ///
  /// A validator that was not given before may be that of another version.
  func holds(_ part: NetworkHeader, of range: ContentRange) -> Bool {
    let (tag, date) = (part.validators.entityTag, part.validators.lastModified)
    return (tag == nil || tag == validators.entityTag)
      && (date == nil || date == validators.lastModified)
      && (total == nil || range.total == nil || range.total == total)
  }
}
