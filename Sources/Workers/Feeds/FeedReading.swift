package import FoundationEssentials
package import Models

/// Recognises feed documents, and reads them as they arrive.
package protocol FeedReading: Sendable {
  /// A parser for one document.
  func parser(for source: FeedSource) -> any FeedParsing
}

/// Reads one document, in the task that created the parser.
package protocol FeedParsing: AnyObject {
  /// The number of bytes of the document that were read so far, after decompression.
  var unpackedBytes: Int { get }

  /// The kind of the document; nil until it is certain, and until then no entry is returned.
  var kind: FeedFormat.Kind? { get }

  /// Whether pushed bytes remain to be decompressed; a push of no bytes continues with them.
  var hasMore: Bool { get }

  /// Takes the next bytes, and returns the entries that they complete.
  ///
  /// Each call reads a limited amount, however much the bytes decompress to.
  ///
  /// - Throws: when the document is not a feed, or exceeds a limit.
  func push(_ bytes: [UInt8]) throws(FeedError) -> [FeedEntry]

  /// Takes the end of the document, and returns the entries that it completes.
  ///
  /// - Throws: when the document is not a feed.
  func finish() throws(FeedError) -> (entries: [FeedEntry], document: FeedDocument)

  /// Returns the complete entries that are held back, because the rest of the document will not come.
  func breakOff() -> [FeedEntry]
}

extension FeedParsing {
  package func breakOff() -> [FeedEntry] { [] }
}

/// The address of a document, and the encoding that its server declares.
package struct FeedSource: Sendable, Equatable {
  /// The base of relative addresses.
  package var address: WebAddress
  /// The `charset` of the response's media type; nil when it has none.
  package var charset: String?
  /// Whether each entry includes the reasons for its images.
  package var isExplained: Bool
  /// Whether a web page is read for its own pictures, and not for the feed that it names.
  package var isOfPage: Bool
  /// The pictures of its entries that are images.
  package var imageChoice = ImageChoice.all
  /// The identities of the addresses that the feed's entries repeated in earlier documents.
  package var repeated: Set<String> = []
  /// The words for the pictures, if another document has them.
  package var words: EntryWords?
  /// The reader's languages (RFC 5646), the preferred one first.
  package var languages: [String] = []
  /// The time of the request, for dates of entries that lie ahead of it; nil when it does not matter.
  package var now: Date?

  package init(
    address: WebAddress,
    charset: String? = nil,
    isExplained: Bool = false,
    isOfPage: Bool = false,
    now: Date? = nil
  ) {
    self.address = address
    self.charset = charset
    self.isExplained = isExplained
    self.isOfPage = isOfPage
    self.now = now
  }
}

/// The words of an entry whose pictures are in a document of their own.
package struct EntryWords: Sendable, Equatable {
  package var id: String?
  package var title: String?
  package var caption: String?
  package var author: String?
  package var licence: String?
  package var published: Date?
  package var page: String?
  package var thumbnail: String?

  package init(id: String?, title: String?) {
    self.id = id
    self.title = title
  }
}

/// A document without its entries.
package struct FeedDocument: Sendable, Equatable {
  package var format: FeedFormat
  /// The feed's title: one line of plain text.
  package var title: String?
  /// The flaws that did not prevent reading the document.
  package var flaws: [DocumentFlaw]
  /// Whether the document lists all images of its feed, so that a missing image is gone.
  ///
  /// It is false for a window feed, and when something may be lost.
  package var listsEverything: Bool
  package var continuation: FeedContinuation
  /// The first feeds that a web page names, in the order of their formats.
  package var offers: [WebAddress] = []
  /// The members that have only the pictures of an entry, with the words for these.
  package var parts: [WebAddress: EntryWords] = [:]
  /// The manifest, when the document is a IIIF manifest.
  package var manifest: Manifest?
  /// The times at which the document asks to be requested.
  package var hints: UpdateHints
  /// The links for subscribing to the document.
  package var push: PushLinks
  /// The identities of the addresses that its entries repeat, the most frequent first.
  ///
  /// They include those of earlier documents that some entry still names.
  package var repeated: [String] = []

  /// The most repeated addresses of a feed to remember.
  package static let mostRepeated = 64

  package init(
    format: FeedFormat,
    title: String? = nil,
    flaws: [DocumentFlaw] = [],
    listsEverything: Bool = false,
    continuation: FeedContinuation = .none,
    manifest: Manifest? = nil,
    hints: UpdateHints = UpdateHints(),
    push: PushLinks = PushLinks()
  ) {
    self.format = format
    self.title = title
    self.flaws = flaws
    self.listsEverything = listsEverything
    self.continuation = continuation
    self.manifest = manifest
    self.hints = hints
    self.push = push
  }

  /// Whether no image of the document is lost.
  package var isLossless: Bool { flaws.allSatisfy(\.isHarmless) }
}

/// The documents in which a document continues.
package enum FeedContinuation: Sendable, Equatable {
  /// The document does not continue.
  case none
  /// The next page of a window feed.
  case nextPage(WebAddress)
  /// The members of a collection, in order; they and this document are one feed.
  case members([WebAddress])
  /// The feeds of an OPML list, or the feed of a web page, in order.
  case feeds([WebAddress])
  /// The feeds that a web page names, of which the first one with images counts.
  case choice([WebAddress])
  /// The gallery that a web page belongs to.
  case gallery(GalleryAddress)
}

/// The reason why a document cannot be read as a feed.
package enum FeedError: Error, Sendable, Equatable {
  /// It is not a feed; a noun with its article names what it looks like, such as "a JPEG image".
  case notAFeed(looksLike: String)
  /// Another kind of document answers at the address of a feed.
  ///
  /// `offers` are the feeds that it names if it is a web page.
  case replaced(FeedFormat.Kind, by: FeedFormat.Kind, offers: [WebAddress])
  /// A folder has too few of the pictures of the one whose feed it is to take over.
  case otherFolder(than: WebAddress, found: Int, of: Int)
  /// It is so damaged that no entry can be read.
  case malformed(DocumentFlaw)
  /// It exceeds a limit; a noun names the limited quantity.
  case beyondLimit(of: String, limit: Int)
  /// It exceeds a limit that the user can lift.
  ///
  /// `stored` is the number of images that were read before, all of which are stored.
  case beyondBound(FeedBounds.Bound, stored: Int)
  /// Another gallery answered with something that cannot be applied.
  case gallery(GalleryFault)
  /// The feeds of all lists together exceed a limit, which the user can lift.
  ///
  /// `unasked` is the number of feeds of this list that were left out.
  case listedBeyondBound(FeedBounds.Bound, unasked: Int)
  /// A folder has no picture, as when its disk is not mounted.
  case emptyFolder
}

extension FeedError {
  /// A web page that names no feed.
  package static let webPage = FeedError.notAFeed(looksLike: "an HTML page")
}

/// The reason why the answers of another gallery cannot be applied.
package enum GalleryFault: Error, Sendable, Equatable {
  /// The address does not belong to a gallery.
  case notAGallery
  /// A page of changes ends before its cursor, or a line of it is not a change.
  case malformedPage
  /// A page of changes, or a leaf of the tree, has more lines than this limit.
  case longPage(limit: Int)
  /// A cursor occurred twice, so the changes would never end.
  case repeatedCursor
  /// The pages of one sync come from different libraries.
  case otherLibrary
  /// It states the UUID of this library.
  case ownLibrary
  /// It states the UUID of a library that is mirrored from another address, which proves nothing.
  case mirroredFrom(WebAddress)
  /// It has signed before, and does not sign this answer.
  case unsigned
  /// It signs with another key than the first one.
  case otherKey
  /// It sends another part of itself than before, as to a token that is limited in another way.
  case otherPart
  /// The signature of an answer does not match its content.
  case wrongSignature
  /// It is another library than the one at the address whose copy it is to take over.
  case unlikeFormer(WebAddress)
  /// Another library answers at its address, and the copy would lose this many images.
  case replaced(images: Int)
  /// The copy would lose so many images in one sync, or by being taken over, that the user has to accept it.
  case removals(Int, of: Int, takingOver: WebAddress? = nil)
  /// A node of the tree does not have the requested hash, kind or images.
  case wrongNode
  /// A picture does not have the requested hash.
  case wrongPicture
  /// It sends an original only without the place where it was taken, or not at all.
  case withheldOriginal
  /// The gallery changed so often that its tree, or the changes of its part, could not be read.
  case unsteadyTree
}

/// A flaw of a document that did not prevent reading it.
///
/// Parsers name the flaw; `Wording` has the words for it.
package enum DocumentFlaw: Sendable, Hashable {
  // Markup
  case bareAmpersand
  case bareLessThan
  case bareAttribute
  case excessiveAttribute
  case malformedTag
  case unmatchedEndTag
  case missingEndTag
  case textBeforeRoot
  case lateDeclaration
  case cutMarkup
  /// A name whose prefix has no declared namespace.
  case undeclaredPrefix
  /// Markup that the parser rejects even so; the rest of the document is not read.
  case malformedMarkup
  case noRoot

  // JSON
  case malformedEntry
  case unexpectedCharacter
  case unreadableKey

  // Any document
  case preceded
  case followed
  case cutOff
  case longText(limit: Int)
  case noMemory

  // Encoding and packing
  case unknownEncoding(String)
  /// A text without a declared encoding; the encoding that was used instead.
  case undeclaredEncoding(readAs: String)
  case otherEncoding(than: String, readAs: String)
  case unreadableEncoding(String)
  case badUTF8
  case controlCharacters
  case badCharacters
  case damagedGzip
  case cutGzip

  // Lists of other documents
  case emptyCollection
  case emptyManifest
  case excessiveMembers
  /// A number of canvases with pictures that can neither be read nor asked for.
  case unreadableCanvases(Int)
  case excessiveFeeds
  /// A number of feeds of a list whose addresses cannot be requested, such as the first one.
  case feedsLeftOut(Int, first: String)
  /// A number of files and folders that a list names and must not name, and the first ones, `mostNamed` at most.
  case filesLeftOut(Int, first: [WebAddress])

  // Folders: a number of files or folders, and the path of the first one
  /// Folders that must not be read, or lie too deep; their pictures are not known.
  case unreadableFolders(Int, first: String)
  /// Files that must not be read, or are being written.
  case unreadableFiles(Int, first: String)
  /// Files that are not pictures, although their names say so.
  case notPictures(Int, first: String)
  /// Links that lead out of the folder.
  case linksLeftOut(Int, first: String)
  case excessiveFiles(limit: Int)

  /// The most files that one flaw names.
  package static let mostNamed = 3

  /// Whether neither an image nor an address was lost.
  package var isHarmless: Bool {
    switch self {
    case .bareAmpersand, .bareLessThan, .bareAttribute, .unmatchedEndTag, .textBeforeRoot,
      .lateDeclaration, .undeclaredPrefix, .preceded, .unknownEncoding, .undeclaredEncoding,
      .otherEncoding, .badUTF8, .controlCharacters, .badCharacters, .feedsLeftOut, .filesLeftOut,
      .notPictures, .linksLeftOut:
      true
    case .excessiveAttribute, .malformedTag, .missingEndTag, .cutMarkup, .malformedMarkup,
      .noRoot, .malformedEntry, .unexpectedCharacter, .unreadableKey, .followed, .cutOff,
      .longText, .noMemory, .unreadableEncoding, .damagedGzip, .cutGzip, .emptyCollection,
      .emptyManifest, .excessiveMembers, .unreadableCanvases, .excessiveFeeds, .unreadableFolders,
      .unreadableFiles, .excessiveFiles:
      false
    }
  }
}
