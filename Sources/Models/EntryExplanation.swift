package import FoundationEssentials

/// The reasons why an entry of a document has its images.
package struct EntryExplanation: Sendable, Equatable {
  /// The place of an address in an entry.
  package enum Place: Sendable, Hashable {
    case media, enclosure, imageField, markup, thumbnail, podcastImage
    /// The body of a IIIF canvas, an address in an array of JSON, an image of a sitemap, and a photo of oEmbed.
    case canvas, listed, sitemap, photo
    /// The target of a link around a picture in the HTML.
    case link
    /// The member of an object of JSON, by its path: `user.avatar`.
    case member(String)
    /// A file of a folder of pictures, or a folder in it.
    case file, folder
    /// No place: the rule for a service derives the address from the entry.
    case rule
  }

  /// An address that was chosen.
  package struct Choice: Sendable, Equatable {
    package var address: WebAddress
    package var place: Place
    /// The longer side in pixels, as the entry states or implies it; nil when it is unknown.
    package var side: Int?

    package init(address: WebAddress, place: Place, side: Int? = nil) {
      self.address = address
      self.place = place
      self.side = side
    }
  }

  package struct Image: Sendable, Equatable {
    package var original: Choice
    /// Nil when the entry does not name a thumbnail, so that it is made from the original.
    package var thumbnail: Choice?

    package init(original: Choice, thumbnail: Choice?) {
      self.original = original
      self.thumbnail = thumbnail
    }
  }

  /// The reason why an address is neither an original nor a thumbnail.
  package enum Reason: String, Sendable, CaseIterable {
    /// It is another size of an image, or the same address again.
    case otherSize
    /// It is another picture of a choice, of which the first one counts.
    case otherChoice
    /// A place with higher priority names the images.
    case laterPlace
    case tooSmall
    /// Its type or its path indicates a video, a sound or a document.
    case otherMedium
    /// A script puts the picture in its place when it becomes visible.
    case standIn
    /// So many entries of the document name it that it does not count for this one.
    case repeated
    /// It cannot be fetched: `data:`, `javascript:`.
    case unreachable
    case avatar
    /// It is a tracking pixel, which counts readers.
    case pixel
    /// It is a smiley, a button or an icon of the page.
    case decoration
    /// It represents a person, an album, a tag or a site.
    case foreign
    /// Its name and its value suggest that it is the address of a web page.
    case page

    // Files and folders of a folder of pictures
    case hidden
    /// A link, which is not followed.
    case symbolicLink
    /// A file whose name is not that of a picture.
    case otherName
    /// A file with such a name that has other content.
    case otherContent
    /// It must not be read, or is being written.
    case unreadable
    /// A pipe, a socket or a device.
    case specialFile
    /// A folder of a system or of a network drive.
    case systemFolder
    /// A folder with copies: a library, or an export.
    case copies
    case tooDeep
    /// A file beyond the images that a feed may have.
    case excessive
  }

  /// An address that was not used.
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

  /// The reason to doubt the date of an entry.
  package enum DateDoubt: Sendable, Equatable {
    /// The text cannot be read as a date, so that the entry has none.
    case unreadable(String)
    /// The date is before 1990, when there were no feeds.
    case early(Date)
    /// The date is more than a week ahead.
    case ahead(Date)
  }

  package var id: String?
  package var title: String?
  package var dateDoubt: DateDoubt?
  package var images: [Image]
  package var passed: [Passed]

  package init(
    id: String? = nil,
    title: String? = nil,
    dateDoubt: DateDoubt? = nil,
    images: [Image] = [],
    passed: [Passed] = []
  ) {
    self.id = id
    self.title = title
    self.dateDoubt = dateDoubt
    self.images = images
    self.passed = passed
  }
}
