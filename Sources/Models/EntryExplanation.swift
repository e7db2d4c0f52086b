/// Why an entry of a document has the images that it has.
package struct EntryExplanation: Sendable, Equatable {
  /// Where in an entry an address stands.
  package enum Place: Sendable, Hashable {
    case media, enclosure, imageField, markup, thumbnail, podcastImage
    /// The member of an object of JSON, by its path: `user.avatar`.
    case member(String)
    /// Nowhere: the rule for a service makes it out of what the entry says.
    case rule
  }

  /// An address that was chosen.
  package struct Choice: Sendable, Equatable {
    package var address: WebAddress
    package var place: Place
    /// The longer side in pixels, as the entry states or means it; nil when it does not.
    package var side: Int?

    package init(address: WebAddress, place: Place, side: Int? = nil) {
      self.address = address
      self.place = place
      self.side = side
    }
  }

  package struct Image: Sendable, Equatable {
    package var original: Choice
    /// Nil when the entry names none: it is made from the original.
    package var thumbnail: Choice?

    package init(original: Choice, thumbnail: Choice?) {
      self.original = original
      self.thumbnail = thumbnail
    }
  }

  /// The reason why an address is neither an original nor a thumbnail.
  package enum Reason: String, Sendable, CaseIterable {
    /// It is another size of an image, or names it once more.
    case otherSize
    /// A place that counts before its own names the images.
    case laterPlace
    case tooSmall
    /// Its type or its path is that of a video, a sound or a document.
    case otherMedium
    /// It leads nowhere that can be fetched: `data:`, `javascript:`.
    case unreachable
    case avatar
    /// It counts who reads.
    case pixel
    /// It is a smiley, a button or an icon of the page.
    case decoration
    /// It belongs to a person, an album, a tag or a site.
    case foreign
    /// It is a web page's, as far as its name and its value tell.
    case page
  }

  /// An address that was passed over.
  package struct Passed: Sendable, Equatable {
    package var address: String
    package var place: Place
    package var reason: Reason

    package init(address: String, place: Place, reason: Reason) {
      self.address = address
      self.place = place
      self.reason = reason
    }
  }

  package var id: String?
  package var title: String?
  package var images: [Image]
  package var passed: [Passed]

  package init(
    id: String? = nil,
    title: String? = nil,
    images: [Image] = [],
    passed: [Passed] = []
  ) {
    self.id = id
    self.title = title
    self.images = images
    self.passed = passed
  }
}
