import FoundationEssentials
import Models
import Workers

/// The meaning of a response for an original of which a part may be here already.
enum OriginalAnswer: Equatable {
  /// The body is the whole, from its first byte.
  case all
  /// The body goes on where what is here ends.
  case rest
  /// There is nothing behind what is here.
  case nothingMissing
  /// The stored original is still right.
  case unchanged
  /// It does not fit what is here, which is of no use then.
  case misfit
  /// Not what was asked for.
  case refusal

  /// Reads a response (RFC 9110, sections 14.4, 15.3.7, 15.4.5 and 15.5.17).
  ///
  /// - Parameters:
  ///   - header: The response's header.
  ///   - request: What was asked.
  ///   - version: What is here belongs to this one.
  init(_ header: NetworkHeader, to request: NetworkRequest, holding version: OriginalVersion?) {
    switch (header.status, request.range) {
    case (200, _): self = .all
    case (206, let range?): self = Self.isRest(header, of: version, range) ? .rest : .misfit
    case (416, let range?):
      self = Self.isAll(header, of: version, range) ? .nothingMissing : .misfit
    case (304, .some): self = .misfit
    case (304, nil): self = request.validators.isEmpty ? .refusal : .unchanged
    default: self = .refusal
    }
  }

  /// A part has to repeat the tag of the whole (RFC 9110, section 15.3.7): a server that does not may
  /// have passed over `If-Range`, and send the end of another version of the same length.
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

  private static func isAll(
    _ header: NetworkHeader,
    of version: OriginalVersion?,
    _ range: NetworkRange
  ) -> Bool {
    guard let whole = header.contentRange else { return false }
    return whole.total == range.offset && version?.holds(header, of: whole) == true
  }
}

extension OriginalVersion {
  /// The version of which a response brings all.
  ///
  /// A body that was compressed for the way has neither the length nor the bytes that are kept, so
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
