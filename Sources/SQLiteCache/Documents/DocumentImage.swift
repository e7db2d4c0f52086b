import Models

/// An image of a document, with what it is looked up by.
///
/// An object, because it goes through several hands on its way into a row, and has many parts to copy.
final class DocumentImage {
  let fields: ImageFields
  let originalHash: Int64

  init(_ image: borrowing FeedImage) {
    fields = ImageFields(image)
    let address = image.originalAddress
    // Nearly always; the address is not read out of its text once more then.
    let isStoredAsItIs = fields.originalAddress.utf8.count == address.text.utf8.count
    originalHash =
      isStoredAsItIs
      ? StableHash.of(address.identity) : Self.hash(ofAddress: fields.originalAddress)
  }

  var thumbnailHash: Int64? { fields.thumbnailAddress.map(Self.hash) }

  /// A hash that all spellings of one address share.
  static func hash(ofAddress text: String) -> Int64 { StableHash.of(identity(of: text)) }

  /// Whether two spellings name the same picture.
  static func isSame(_ one: String, _ other: String) -> Bool {
    one == other || identity(of: one) == identity(of: other)
  }

  static func identity(of text: String) -> String { WebAddress(text)?.identity ?? text }
}
