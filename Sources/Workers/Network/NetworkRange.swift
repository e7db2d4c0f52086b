/// The rest of a body, asked for on condition that it still belongs to what is held already.
package struct NetworkRange: Sendable, Equatable {
  /// The first byte that is wanted, counted from 0 (RFC 9110, section 14.1.2).
  package var offset: Int
  /// The `If-Range` field: a strong entity tag or a date (RFC 9110, section 13.1.5).
  package var validator: String

  package init(offset: Int, validator: String) {
    self.offset = offset
    self.validator = validator
  }
}
