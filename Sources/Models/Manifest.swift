/// What a IIIF manifest says of the object that it shows, a book or a map: it belongs to each of its images.
///
/// An object, because each of a long list of images has room for one, and hardly any has one.
package final class Manifest: Sendable {
  /// A line of what else is known of the object: "Shelf mark", "MS 5".
  package struct Detail: Sendable, Equatable {
    package var label: String
    package var value: String

    package init(label: String, value: String) {
      self.label = label
      self.value = value
    }
  }

  /// The object's name, one line of plain text, as all texts here are.
  package let label: String?
  /// The web page about it.
  package let pageAddress: WebAddress?
  /// The words that have to be shown with it.
  package let attribution: String?
  /// A name or an address of a licence.
  package let rights: String?
  package let details: [Detail]

  package init(
    label: String? = nil,
    pageAddress: WebAddress? = nil,
    attribution: String? = nil,
    rights: String? = nil,
    details: [Detail] = []
  ) {
    self.label = label
    self.pageAddress = pageAddress
    self.attribution = attribution
    self.rights = rights
    self.details = details
  }
}

extension Manifest: Equatable {
  package static func == (one: Manifest, other: Manifest) -> Bool {
    one === other
      || one.label == other.label && one.pageAddress == other.pageAddress
        && one.attribution == other.attribution && one.rights == other.rights
        && one.details == other.details
  }
}
