import FoundationEssentials
import Models
import Workers

/// The meaning of a response for an original of which a part may be here already.
enum OriginalAnswer: Equatable {
  /// The body is the whole original, from its first byte.
  case all
  /// The body continues the part that is here.
  case rest
  /// The original has no bytes behind the part that is here.
  case nothingMissing
  /// The stored original is still valid.
  case unchanged
  /// The response does not fit the part that is here, which is then useless.
  case misfit
  /// Any other response.
  case refusal

  /// Reads a response (RFC 9110, sections 14.4, 15.3.7, 15.4.5 and 15.5.17).
  ///
  /// - Parameters:
  ///   - header: The response's header.
  ///   - request: The request.
  ///   - version: The version of the part that is here.
  init(_ header: NetworkHeader, to request: NetworkRequest, holding version: OriginalVersion?) {
    switch (header.status, request.range) {
    case (200, .some) where Self.isPart(header): self = .misfit
    case (200, _): self = .all
    case (206, let range?): self = Self.isRest(header, of: version, range) ? .rest : .misfit
    case (416, let range?):
      self = Self.isAll(header, of: version, range) ? .nothingMissing : .misfit
    case (304, .some): self = .misfit
    case (304, nil): self = request.validators.isEmpty ? .refusal : .unchanged
    default: self = .refusal
    }
  }

  /// Whether a response continues the part that is here.
  ///
  /// The response has to repeat the tag of the whole (RFC 9110, section 15.3.7). A server that does not repeat it may
  /// have ignored `If-Range`, and may send the end of another version of the same length.
  private static func isRest(
    _ header: NetworkHeader,
    of version: OriginalVersion?,
    _ range: NetworkRange
  ) -> Bool {
    guard let part = header.contentRange, let bytes = part.bytes, !header.isEncoded else {
      return false
    }
    let end = part.total ?? version?.total ?? .max
    return bytes.lowerBound == range.offset && bytes.upperBound < end
      && header.validators.entityTag == version?.validators.entityTag
      && version?.holds(header, of: part) == true
  }

  /// Whether a response with the status of a whole says that its body is a part that does not begin at the first byte.
  ///
  /// Some stores answer a range so (findings/rclone-s3-range-status.sh).
  private static func isPart(_ header: NetworkHeader) -> Bool {
    guard let part = header.contentRange?.bytes, part.lowerBound > 0 else { return false }
    return header.contentLength == nil || header.contentLength == part.count
  }

  private static func isAll(
    _ header: NetworkHeader,
    of version: OriginalVersion?,
    _ range: NetworkRange
  ) -> Bool {
    guard let whole = header.contentRange else { return false }
    return whole.total == range.offset && version?.holds(header, of: whole) == true
  }
}

extension NetworkHeader {
  /// Whether it announces the stored picture again, although it was asked for a change; then its body is not read.
  ///
  /// Some stores that sign addresses ignore conditions. The entity tag decides, or else the date and the length.
  func describes(_ stored: Validators, bytes: Int?) -> Bool {
    if let tag = validators.entityTag, let known = stored.entityTag { return tag == known }
    guard let date = validators.lastModified, let bytes, !isEncoded else { return false }
    return date == stored.lastModified && contentLength == bytes
  }
}

extension OriginalVersion {
  /// Whether a part of this version may be continued from an address: the same one, or one with another signature.
  ///
  /// The validator of the range then proves that the rest belongs to it.
  func isPart(of source: WebAddress) -> Bool {
    address.identity == source.identity || address.namesSameFile(as: source)
  }

  /// Takes the version from a response with the whole original.
  ///
  /// A body that was compressed for the transfer has neither the length nor the bytes that are kept, so its rest cannot
  /// be requested.
  init(_ header: NetworkHeader, from address: WebAddress) {
    self.init(
      address: address,
      validators: header.validators,
      rangeValidator: header.isEncoded ? nil : Self.rangeValidator(of: header),
      total: header.isEncoded ? nil : header.contentLength
    )
  }

  /// A strong entity tag, or else a date that is as good (RFC 9110, section 13.1.5).
  ///
  /// That section forbids a client with a weak tag to send a date. But then the rest could never be requested from a
  /// server that gives only weak tags. So the date is sent, and the response must have the same tag (`holds`).
  private static func rangeValidator(of header: NetworkHeader) -> String? {
    if let tag = header.validators.entityTag, tag.hasPrefix("\"") { return tag }
    return hasStrongDate(header) ? header.validators.lastModified : nil
  }

  /// Whether the response was made at least a second after `Last-Modified`, so that the date is strong (RFC 9110,
  /// section 8.8.2.2).
  private static func hasStrongDate(_ header: NetworkHeader) -> Bool {
    guard let date = header.date, let modified = header.modified else { return false }
    return date.timeIntervalSince(modified) >= 1
  }

  /// Whether the header of a partial response agrees with this version.
  ///
  /// A validator that this version does not have may be that of another version.
  func holds(_ part: NetworkHeader, of range: ContentRange) -> Bool {
    let (tag, date) = (part.validators.entityTag, part.validators.lastModified)
    return (tag == nil || tag == validators.entityTag)
      && (date == nil || date == validators.lastModified)
      && (total == nil || range.total == nil || range.total == total)
  }
}
