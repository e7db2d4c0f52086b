/// What a server gave so that we can ask whether a document has changed (RFC 9110, section 8.8).
///
/// Both are kept byte for byte, one Unicode scalar a byte (ISO 8859-1), and sent back together.
package struct Validators: Sendable, Equatable {
  /// The `ETag` field, quotes and weakness prefix included.
  package var entityTag: String?
  /// The `Last-Modified` field.
  package var lastModified: String?

  package init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }

  /// Whether there is nothing to ask with.
  package var isEmpty: Bool { entityTag == nil && lastModified == nil }
}
