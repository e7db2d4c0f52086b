internal import Models
internal import Workers

/// A document without its entries.
public struct FeedDocument: Sendable, Equatable {
  /// The format, recognised by the content.
  public var format: Format
  /// The feed's title: one line of plain text.
  public var title: String?
  /// The flaws that did not prevent reading the document.
  public var problems: [FeedProblem]
  /// Whether the document lists all images of its feed, so that a missing one is gone.
  ///
  /// It is false for a feed that shows only its newest entries, and if something may be lost.
  public var listsEverything: Bool
  /// The documents in which the feed continues.
  public var continuation: Continuation
  /// The feeds that a web page names.
  public var offers: [String]
  /// The object that a IIIF manifest describes; nil for other documents.
  public var manifest: Manifest?
  /// The shortest time between two requests that the document asks for, in seconds; 0 if it does not (RSS 2.0, `ttl`).
  public var shortestInterval: Int
  /// The server that notifies subscribers, and the address by which it knows the document (WebSub, section 4).
  public var hub: Hub?

  /// The format of a document.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// A plain JSON list of images, in an array or anywhere inside an object.
    case json
    /// JSON Feed 1.0 or 1.1 (https://www.jsonfeed.org/version/1.1/).
    case jsonFeed = "jsonfeed"
    /// RSS 2.0 (https://www.rssboard.org/rss-specification).
    case rss
    /// RSS 2.0 whose entries use Media RSS (https://www.rssboard.org/media-rss).
    case mediaRSS = "mediarss"
    /// RSS 1.0 and 0.90, which are RDF (https://web.resource.org/rss/1.0/spec).
    case rdf
    /// Atom (RFC 4287).
    case atom
    /// A manifest or collection of IIIF Presentation 2.1 or 3.0 (https://iiif.io/api/presentation/).
    case iiif
    /// A sitemap whose pages name their images, or an index of sitemaps (https://www.sitemaps.org/protocol.html).
    case sitemap
    /// A list of feeds (https://opml.org/spec2.opml).
    case opml
    /// A web page that names its feeds (HTML, section 4.6.7.1, `alternate`).
    case html
    /// A picture's description (https://oembed.com/, section 2.3.4.2).
    case oEmbed = "oembed"
    /// The web page of another library of `gallery`.
    case gallery
  }

  /// The documents in which a feed continues; a program fetches them, and reads each as a document of its own.
  public enum Continuation: Sendable, Equatable {
    /// The feed does not continue.
    case none
    /// The next page (RFC 5005, section 3, and the fields of JSON APIs).
    case nextPage(String)
    /// The members of a collection or an index, in order, which form one feed with it.
    case members([String])
    /// The feeds of a list or a web page, in order.
    case feeds([String])
  }

  /// A server that notifies subscribers of changes to a document.
  public struct Hub: Sendable, Equatable {
    /// The address of the server, which takes subscriptions.
    public var address: String
    /// The address by which the server knows the document.
    public var topic: String
  }

  /// The object that a IIIF manifest describes, such as a book or a map.
  ///
  /// All its texts are plain.
  public struct Manifest: Sendable, Equatable {
    /// The object's name, on one line.
    public var label: String?
    /// The web page about the object.
    public var page: String?
    /// The statement that has to be shown with the object.
    public var attribution: String?
    /// The name or the address of a licence.
    public var rights: String?
    /// Further facts about the object, such as "Shelf mark" and "MS 5".
    public var details: [Detail]

    /// A fact about an object.
    public struct Detail: Sendable, Equatable {
      /// What the fact is, such as "Shelf mark"; one line.
      public var label: String
      /// The fact, such as "MS 5".
      public var value: String
    }
  }

  init(_ document: Workers.FeedDocument) {
    format = Format(document.format)
    title = document.title
    problems = document.flaws.map { FeedProblem($0) }
    listsEverything = document.listsEverything
    continuation = Continuation(document.continuation)
    offers = document.offers.map(\.text)
    manifest = document.manifest.map { Manifest($0) }
    shortestInterval = document.hints.leastInterval
    if let hub = document.push.hub, let topic = document.push.topic {
      self.hub = Hub(address: hub.text, topic: topic.text)
    }
  }
}

extension FeedDocument.Format {
  init(_ format: FeedFormat) {
    self =
      switch format {
      // No document is a folder.
      case .json, .folder: .json
      case .jsonFeed: .jsonFeed
      case .rss: .rss
      case .mediaRSS: .mediaRSS
      case .rdf: .rdf
      case .atom: .atom
      case .iiif: .iiif
      case .sitemap: .sitemap
      case .opml: .opml
      case .html: .html
      case .oEmbed: .oEmbed
      case .gallery: .gallery
      }
  }
}

extension FeedDocument.Continuation {
  init(_ continuation: FeedContinuation) {
    self =
      switch continuation {
      case .none, .gallery: .none
      case .nextPage(let address): .nextPage(address.text)
      case .members(let addresses): .members(addresses.map(\.text))
      case .feeds(let addresses), .choice(let addresses): .feeds(addresses.map(\.text))
      }
  }
}

extension FeedDocument.Manifest {
  init(_ manifest: Models.Manifest) {
    label = manifest.label
    page = manifest.pageAddress?.text
    (attribution, rights) = (manifest.attribution, manifest.rights)
    details = manifest.details.map { Detail(label: $0.label, value: $0.value) }
  }
}
