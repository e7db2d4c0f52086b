import Models

/// What a response means for an original of which a part may be here already.
enum OriginalAnswer: Equatable {
  /// The body is the whole, from its first byte.
  case all
  /// The body goes on where what is here ends.
  case rest
  /// There is nothing behind what is here.
  case nothingMissing
  /// What is stored is still right.
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
