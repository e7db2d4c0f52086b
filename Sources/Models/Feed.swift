package import FoundationEssentials

/// A feed that the library follows.
package struct Feed: Sendable, Equatable, Identifiable {
  /// The result of the last sync of a feed; `--json` prints the raw value.
  package enum Status: String, Sendable {
    /// The document was read, and at least one of its images was new, changed or gone.
    case updated
    /// Nothing has changed since the sync before.
    case unchanged
    /// The document could not be fetched or read; the stored images stay.
    case failed
  }

  /// The number of the feed; it never changes and is never reused.
  package var id: Int64
  package var address: WebAddress
  /// Its earlier addresses, which still identify it.
  package var aliases: [WebAddress]
  /// The title in its document.
  package var ownTitle: String?
  /// The title that the user gave it; nil without one.
  package var givenTitle: String?
  package var format: FeedFormat?
  /// The number of its images in the library.
  package var imageCount: Int
  /// The number of its stored pictures that a check found damaged.
  package var damagedCount = 0
  /// The number of images in its document when it was last read completely.
  package var documentImageCount: Int
  /// The number of feeds in a list of feeds; 0 for every other feed.
  package var listedFeedCount: Int
  /// The number of documents between the address that the user named and a list of feeds.
  package var listDepth: Int
  /// Whether all of its pages have been read at least once.
  package var isWhole: Bool
  /// The end of its last sync; nil before the first.
  package var lastSync: Date?
  package var status: Status?
  /// The reason why the last sync failed, in words; nil when it succeeded.
  package var problem: String?
  /// The validators for the next request; empty when the last document was not read completely.
  package var validators: Validators
  /// The target of a permanent redirect in the last sync (301, 308).
  ///
  /// It becomes the address when the next sync is redirected to it as well.
  package var movedTo: WebAddress?
  /// Whether its server answered that it is gone (410); only a sync that names it asks again.
  package var isPaused: Bool
  /// The date from which a sync of all feeds asks again; nil for every sync.
  package var nextSync: Date?
  /// The reach of its content; nil until a response shows whether its own address is private.
  package var reach: FeedReach?
  /// The gallery that it is mirrored from; nil for a feed that this library follows itself.
  package var gallery: WebAddress?
  /// The address that stands for that of a file of its gallery's machine, in copies of this library; nil for all others.
  package var standIn: WebAddress?
  /// The numbers of its newest images and originals to keep.
  package var retention = FeedRetention()
  /// The pictures of its entries that are images.
  package var imageChoice = ImageChoice.all
  /// The identities of the addresses that its entries repeated when it was last read.
  package var repeatedPictures: [String] = []
  /// The `Referer` field without which its pictures' hosts send a sign; nil if none is needed.
  package var pictureReferer: PictureReferer?
  /// The schedule by which a program that keeps running asks for it.
  package var schedule = FeedSchedule()
  /// The hub that its document names, and its own address at that hub; empty when it does not name one.
  package var push = PushLinks()
  /// The end of the lease with that hub; nil without a confirmed subscription.
  package var leaseEnd: Date?

  package init(
    id: Int64,
    address: WebAddress,
    aliases: [WebAddress] = [],
    title: String? = nil,
    givenTitle: String? = nil,
    format: FeedFormat? = nil,
    imageCount: Int = 0,
    documentImageCount: Int = 0,
    listedFeedCount: Int = 0,
    listDepth: Int = 0,
    isWhole: Bool = true,
    lastSync: Date? = nil,
    status: Status? = nil,
    problem: String? = nil,
    validators: Validators = Validators(),
    movedTo: WebAddress? = nil,
    isPaused: Bool = false,
    nextSync: Date? = nil,
    reach: FeedReach? = nil,
    gallery: WebAddress? = nil
  ) {
    self.id = id
    self.address = address
    self.aliases = aliases
    ownTitle = title
    self.givenTitle = givenTitle
    self.format = format
    self.imageCount = imageCount
    self.documentImageCount = documentImageCount
    self.listedFeedCount = listedFeedCount
    self.listDepth = listDepth
    self.isWhole = isWhole
    self.lastSync = lastSync
    self.status = status
    self.problem = problem
    self.validators = validators
    self.movedTo = movedTo
    self.isPaused = isPaused
    self.nextSync = nextSync
    self.reach = reach
    self.gallery = gallery
  }

  /// Whether it is a list of feeds, which does not have images itself.
  package var isList: Bool { format == .opml || isGallery }

  /// Whether it is another gallery, whose feeds this library mirrors.
  package var isGallery: Bool { format == .gallery }

  /// The title that the user gave it, or else the title in its document.
  package var title: String? { givenTitle ?? ownTitle }

  /// Whether an address identifies it: its own or an earlier one, in any spelling.
  package func has(_ address: WebAddress) -> Bool {
    let identity = address.escaped.identity
    return ([self.address] + aliases).contains { $0.escaped.identity == identity }
  }
}

extension Feed {
  /// The folder that must contain the files of its content; nil refuses files.
  ///
  /// The content of a gallery must not name files of this disk.
  package var fileFolder: String? { gallery == nil ? address.fileFolder : nil }

  /// The name that others than the owner of the library see: without a title, the address, or the id for a file.
  package var publishedName: String { title ?? address.published ?? "Feed \(id)" }

  /// The address that copies of the library get; nil for a file of this machine.
  ///
  /// The copy of another gallery's file has the same address in all copies of it, so none of them has the feed twice.
  package var publishedAddress: String? { standIn?.masked ?? address.published }
}

extension FeedReference {
  /// As in `Feed`.
  package var fileFolder: String? { gallery == nil ? address.fileFolder : nil }

  /// As in `Feed`.
  package var publishedName: String { title ?? address.published ?? "Feed \(id)" }
}

/// The part of a feed that is stored with each of its images.
package struct FeedReference: Sendable, Equatable {
  package var id: Int64
  package var address: WebAddress
  package var title: String?
  /// The reach of its content; nil while it is unknown.
  package var reach: FeedReach?
  /// The gallery that it is mirrored from; nil for a feed that this library follows itself.
  package var gallery: WebAddress?

  package init(
    id: Int64,
    address: WebAddress,
    title: String?,
    reach: FeedReach? = nil,
    gallery: WebAddress? = nil
  ) {
    self.id = id
    self.address = address
    self.title = title
    self.reach = reach
    self.gallery = gallery
  }
}

/// The pictures of a feed's entries that are images; `--json` prints the raw value.
package enum ImageChoice: String, Sendable, CaseIterable {
  /// All that an entry shows.
  case all
  /// Only those of the first place that names any: in front of the text, or else in it.
  case front
}

/// The origin in the `Referer` field of a request for a picture; the store keeps the raw value.
package enum PictureReferer: Int64, Sendable, CaseIterable {
  /// The origin of the picture itself.
  case own = 1
  /// The origin of the page that shows it.
  case page
}

/// The numbers of a feed's newest images and originals to keep; pinned images are kept in addition.
package struct FeedRetention: Sendable, Equatable {
  /// The number of newest images to keep; nil for all.
  package var images: Int?
  /// The number of newest images whose originals are kept; nil for all.
  package var originals: Int?

  package init(images: Int? = nil, originals: Int? = nil) {
    self.images = images
    self.originals = originals
  }
}

/// The network addresses to which a feed's content may lead: its pictures, pages and redirects.
///
/// Private addresses are those that the open Internet does not route: this machine, its local
/// network and other reserved ranges (RFC 6890).
package enum FeedReach: Sendable, Equatable {
  /// Only public addresses.
  case publicOnly
  /// Public addresses, and private addresses under one host name.
  ///
  /// The user typed this name, and it led to a private address.
  case host(String)
  /// All addresses, because the user allowed it.
  case anywhere
}

/// The format of a feed, by the content of its document.
///
/// The store keeps the raw value and `--json` prints it, so cases may be added but never renamed.
package enum FeedFormat: String, Sendable, CaseIterable {
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
  /// A list of feeds (https://opml.org/spec2.opml), which the library follows and which does not have images.
  case opml
  /// A web page that names its feed (HTML, section 4.6.7.1, `alternate`), or whose own pictures are followed.
  case html
  /// A picture's description as XML (https://oembed.com/, section 2.3.4.2).
  case oEmbed = "oembed"
  /// A folder of pictures on this machine, which stay where they are (`Documentation/Feeds.md`).
  case folder
  /// Another gallery, which is mirrored (`Documentation/Mirrors.md`) and does not have images itself.
  case gallery
}

extension FeedFormat {
  /// The kinds of documents, of which none takes the place of another at a followed address.
  package enum Kind: Sendable {
    /// A document that declares itself a feed: RSS, Atom or JSON Feed; or a sitemap.
    case feed
    /// A plain JSON list.
    case list
    case manifest
    case listOfFeeds
    case page
    case folder
    case gallery
  }

  package var kind: Kind {
    switch self {
    case .jsonFeed, .rss, .mediaRSS, .rdf, .atom, .sitemap: .feed
    case .json, .oEmbed: .list
    case .iiif: .manifest
    case .opml: .listOfFeeds
    case .html: .page
    case .folder: .folder
    case .gallery: .gallery
    }
  }
}

extension Feed {
  /// Whether it has failed since a list named it, so that it has no images and its kind is not known.
  package var hasNeverAnswered: Bool {
    // A feed with images has answered, even if its first sync broke off.
    status == .failed && lastSync == nil && imageCount == 0
  }

  /// The kinds that its document may have; nil for every kind, while none of its images is stored.
  package var kinds: [FeedFormat.Kind]? {
    if let format { return [format.kind] }
    // Its first document broke off, so its format is not stored.
    return imageCount > 0 ? [.feed, .list, .manifest] : nil
  }
}

/// The fields of a response with which to ask whether a document has changed (RFC 9110, section 8.8).
///
/// Each byte of a field is kept as one Unicode scalar (ISO 8859-1). A request sends both.
package struct Validators: Sendable, Equatable {
  /// The `ETag` field, with its quotes and the `W/` of a weak tag.
  package var entityTag: String?
  /// The `Last-Modified` field.
  package var lastModified: String?

  package init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }

  /// Whether the server sent neither field.
  package var isEmpty: Bool { entityTag == nil && lastModified == nil }
}
