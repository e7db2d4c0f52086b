public import FoundationEssentials
internal import Models

/// The reasons why an entry has its images: which address was chosen in which place, and why others were not.
public struct Explanation: Sendable, Equatable {
  /// The chosen addresses, an element for each image.
  public var images: [Image]
  /// The addresses that were not chosen.
  public var passed: [Passed]
  /// The reason to doubt the date of the entry; nil without one.
  public var dateDoubt: DateDoubt?

  /// The place of an address in an entry.
  public enum Place: Sendable, Hashable {
    /// `media:content` and `media:group` (Media RSS).
    case media
    /// `enclosure` (RSS 2.0), a link with `rel="enclosure"` (RFC 4287), or an attachment of JSON Feed.
    case enclosure
    /// A field for a picture, such as `image` of JSON Feed.
    case imageField
    /// The HTML of the entry.
    case markup
    /// `media:thumbnail` (Media RSS).
    case thumbnail
    /// `itunes:image`.
    case podcastImage
    /// The body of a IIIF canvas.
    case canvas
    /// An address in an array of JSON.
    case listed
    /// An image of a sitemap.
    case sitemap
    /// The photo of oEmbed.
    case photo
    /// The target of a link around a picture in the HTML.
    case link
    /// A member of an object of JSON, by its path: `user.avatar`.
    case member(String)
    /// No place: a rule for a service derives the address from the entry.
    case rule
  }

  /// The reason why an address is neither an original nor a thumbnail.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// It is another size of an image, or the same address again.
    case otherSize
    /// It is another picture of a choice, of which the first one counts.
    case otherChoice
    /// A place with higher priority names the images.
    case laterPlace
    /// A side that the entry states is shorter than 32 pixels.
    case tooSmall
    /// Its type or its path indicates a video, a sound or a document.
    case otherMedium
    /// A script puts the picture in its place when it becomes visible.
    case standIn
    /// So many entries of the document name it that it does not count for this one.
    case repeated
    /// It cannot be fetched: `data:`, `javascript:`.
    case unreachable
    /// It is a portrait at Gravatar, or at a mirror of it.
    case avatar
    /// It is a tracking pixel, which counts readers.
    case pixel
    /// It is a smiley, a button or an icon of the page.
    case decoration
    /// It represents a person, an album, a tag or a site.
    case foreign
    /// Its name and its value suggest that it is the address of a web page.
    case page
  }

  /// An address that was chosen.
  public struct Choice: Sendable, Equatable {
    /// The absolute address.
    public var address: String
    /// Where the entry names it.
    public var place: Place
    /// The longer side in pixels, as the entry states or implies it; nil if it is unknown.
    public var side: Int?
  }

  /// The addresses of an image.
  public struct Image: Sendable, Equatable {
    /// The address of the full picture.
    public var original: Choice
    /// The address of the small picture; nil if the entry does not name one.
    public var thumbnail: Choice?
  }

  /// An address that was not chosen.
  public struct Passed: Sendable, Equatable {
    /// The address, as the document has it.
    public var address: String
    /// Where the entry names it.
    public var place: Place
    /// Why it was not chosen.
    public var reason: Reason
  }

  /// The reason to doubt the date of an entry.
  public enum DateDoubt: Sendable, Equatable {
    /// The text cannot be read as a date, so that the entry has none.
    case unreadable(String)
    /// The date is before 1990, when there were no feeds.
    case early(Date)
    /// The date is more than a week ahead of ``FeedReader/now``.
    case ahead(Date)
  }

  init(_ explanation: EntryExplanation) {
    images = explanation.images.map { image in
      Image(
        original: Choice(image.original),
        thumbnail: image.thumbnail.map { Choice($0) }
      )
    }
    passed = explanation.passed.map { passed in
      Passed(
        address: passed.address,
        place: Place(passed.place),
        reason: Reason(passed.reason)
      )
    }
    dateDoubt = explanation.dateDoubt.map { DateDoubt($0) }
  }
}

extension Explanation.Choice {
  init(_ choice: EntryExplanation.Choice) {
    self.init(address: choice.address.text, place: .init(choice.place), side: choice.side)
  }
}

extension Explanation.DateDoubt {
  init(_ doubt: EntryExplanation.DateDoubt) {
    self =
      switch doubt {
      case .unreadable(let text): .unreadable(text)
      case .early(let date): .early(date)
      case .ahead(let date): .ahead(date)
      }
  }
}

extension Explanation.Place {
  init(_ place: EntryExplanation.Place) {
    self =
      switch place {
      case .media: .media
      case .enclosure: .enclosure
      case .imageField: .imageField
      case .markup: .markup
      case .thumbnail: .thumbnail
      case .podcastImage: .podcastImage
      case .canvas: .canvas
      case .listed: .listed
      case .sitemap: .sitemap
      case .photo: .photo
      case .link: .link
      case .member(let path): .member(path)
      // No document is a folder.
      case .rule, .file, .folder: .rule
      }
  }
}

extension Explanation.Reason {
  init(_ reason: EntryExplanation.Reason) {
    self =
      switch reason {
      case .otherSize: .otherSize
      case .otherChoice: .otherChoice
      case .laterPlace: .laterPlace
      case .tooSmall: .tooSmall
      case .otherMedium: .otherMedium
      case .standIn: .standIn
      case .repeated: .repeated
      // The others are of files, which no document has.
      case .unreachable, .hidden, .symbolicLink, .otherName, .otherContent, .unreadable,
        .specialFile, .systemFolder, .copies, .tooDeep, .excessive:
        .unreachable
      case .avatar: .avatar
      case .pixel: .pixel
      case .decoration: .decoration
      case .foreign: .foreign
      case .page: .page
      }
  }
}
