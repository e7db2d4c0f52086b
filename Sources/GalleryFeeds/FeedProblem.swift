public import FoundationEssentials
internal import Models
internal import Workers

/// A flaw of a document that did not prevent reading it.
public struct FeedProblem: Sendable, Hashable, CustomStringConvertible {
  /// The kind of the flaw.
  public let kind: Kind
  /// A number that belongs to the kind: a limit, or the number of things that were left out; nil without one.
  public let number: Int?
  /// The encodings that belong to the kind, or the first thing that was left out; empty without one.
  public let names: [String]

  /// Whether neither an image nor an address was lost.
  public let isHarmless: Bool

  /// The flaw in English, as part of a sentence: "a text of more than 65,536 bytes".
  ///
  /// Texts of the document in it are not made harmless for terminals or markup.
  public var description: String { flaw.words }

  private let flaw: DocumentFlaw

  /// The kinds of flaws.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// An `&` that begins no character reference.
    case bareAmpersand
    /// A `<` that begins no tag.
    case bareLessThan
    /// An attribute without quotes or value.
    case bareAttribute
    /// An attribute is too long, or there are too many.
    case excessiveAttribute
    /// A tag that is not well-formed.
    case malformedTag
    /// An end tag that closes nothing.
    case unmatchedEndTag
    /// An element without its end tag.
    case missingEndTag
    /// Text before the root element.
    case textBeforeRoot
    /// An XML declaration that is not at the beginning.
    case lateDeclaration
    /// Markup that is cut off.
    case cutMarkup
    /// A prefix for which no namespace is declared.
    case undeclaredPrefix
    /// Markup that cannot be mended; the rest of the document is not read.
    case malformedMarkup
    /// There is no root element.
    case noRoot
    /// An entry that is not valid JSON.
    case malformedEntry
    /// An unexpected character in JSON.
    case unexpectedCharacter
    /// An unreadable key in JSON.
    case unreadableKey
    /// Something precedes the document.
    case preceded
    /// Something follows the end of the document.
    case followed
    /// The document is cut off.
    case cutOff
    /// A text of more than ``FeedProblem/number`` bytes.
    case longText
    /// There was not enough memory.
    case noMemory
    /// The document declares an encoding that is not known, the one in ``FeedProblem/names``.
    case unknownEncoding
    /// No encoding is declared; the document was read in the one in ``FeedProblem/names``.
    case undeclaredEncoding
    /// The declared encoding is wrong: the first of ``FeedProblem/names``; the document was read in the second.
    case otherEncoding
    /// The system cannot read the encoding in ``FeedProblem/names``.
    case unreadableEncoding
    /// Bytes that are not UTF-8.
    case badUTF8
    /// Control characters.
    case controlCharacters
    /// Bytes that stand for no character.
    case badCharacters
    /// Damaged gzip data.
    case damagedGzip
    /// Gzip data that are cut off.
    case cutGzip
    /// A collection without members.
    case emptyCollection
    /// A manifest in which no picture is painted on a canvas.
    case emptyManifest
    /// A collection with too many members.
    case excessiveMembers
    /// ``FeedProblem/number`` canvases have pictures that cannot be read.
    case unreadableCanvases
    /// A list with too many feeds.
    case excessiveFeeds
    /// ``FeedProblem/number`` feeds of a list cannot be requested, such as the one in ``FeedProblem/names``.
    case feedsLeftOut
  }

  init(_ flaw: DocumentFlaw) {
    let (kind, number, names) = Self.parts(of: flaw)
    (self.kind, self.number, self.names) = (kind, number, names)
    isHarmless = flaw.isHarmless
    self.flaw = flaw
  }

  private static func parts(of flaw: DocumentFlaw) -> (Kind, Int?, [String]) {
    switch flaw {
    case .bareAmpersand: (.bareAmpersand, nil, [])
    case .bareLessThan: (.bareLessThan, nil, [])
    case .bareAttribute: (.bareAttribute, nil, [])
    case .excessiveAttribute: (.excessiveAttribute, nil, [])
    case .malformedTag: (.malformedTag, nil, [])
    case .unmatchedEndTag: (.unmatchedEndTag, nil, [])
    case .missingEndTag: (.missingEndTag, nil, [])
    case .textBeforeRoot: (.textBeforeRoot, nil, [])
    case .lateDeclaration: (.lateDeclaration, nil, [])
    case .cutMarkup: (.cutMarkup, nil, [])
    case .undeclaredPrefix: (.undeclaredPrefix, nil, [])
    case .malformedMarkup: (.malformedMarkup, nil, [])
    case .noRoot: (.noRoot, nil, [])
    case .malformedEntry: (.malformedEntry, nil, [])
    case .unexpectedCharacter: (.unexpectedCharacter, nil, [])
    case .unreadableKey: (.unreadableKey, nil, [])
    case .preceded: (.preceded, nil, [])
    case .followed: (.followed, nil, [])
    case .cutOff: (.cutOff, nil, [])
    case .longText(let limit): (.longText, limit, [])
    case .noMemory: (.noMemory, nil, [])
    case .unknownEncoding(let label): (.unknownEncoding, nil, [label])
    case .undeclaredEncoding(let encoding): (.undeclaredEncoding, nil, [encoding])
    case .otherEncoding(let declared, let encoding): (.otherEncoding, nil, [declared, encoding])
    case .unreadableEncoding(let encoding): (.unreadableEncoding, nil, [encoding])
    case .badUTF8: (.badUTF8, nil, [])
    case .controlCharacters: (.controlCharacters, nil, [])
    case .badCharacters: (.badCharacters, nil, [])
    case .damagedGzip: (.damagedGzip, nil, [])
    case .cutGzip: (.cutGzip, nil, [])
    case .emptyCollection: (.emptyCollection, nil, [])
    case .emptyManifest: (.emptyManifest, nil, [])
    case .excessiveMembers: (.excessiveMembers, nil, [])
    case .unreadableCanvases(let number): (.unreadableCanvases, number, [])
    case .excessiveFeeds: (.excessiveFeeds, nil, [])
    case .feedsLeftOut(let number, let first): (.feedsLeftOut, number, [first])
    case .filesLeftOut(let number, let first): (.feedsLeftOut, number, first.map(\.masked))
    // A document has no folders and files; as in a list, what was left out is counted.
    case .unreadableFolders(let number, let first), .unreadableFiles(let number, let first),
      .notPictures(let number, let first), .linksLeftOut(let number, let first):
      (.feedsLeftOut, number, [first])
    case .excessiveFiles(let limit): (.excessiveFeeds, limit, [])
    }
  }
}

/// The reason why a document cannot be read.
public enum FeedReadingError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
  /// The address of the document is not absolute (RFC 3986, section 4.3), so that its relative ones have no meaning.
  case relativeAddress(String)
  /// It is not a feed; a noun with its article names what it looks like, such as "a JPEG image".
  case notAFeed(looksLike: String)
  /// It is so damaged that no entry can be read.
  case malformed(FeedProblem)
  /// It exceeds a limit of the reader; a noun names the limited quantity.
  case limitExceeded(of: String, limit: Int)

  /// The reason in English, as part of a sentence: "not a feed but a JPEG image".
  ///
  /// Texts of the document in it are not made harmless for terminals or markup.
  public var description: String {
    switch self {
    case .relativeAddress(let address): "the address '\(address)' is not absolute"
    case .notAFeed(let kind): "not a feed but \(kind)"
    case .malformed(let problem): "damaged beyond reading: \(problem)"
    case .limitExceeded(let quantity, let limit): "\(quantity) beyond the limit of \(limit)"
    }
  }

  /// The ``description``, for programs that show any error by its `localizedDescription`.
  public var errorDescription: String? { description }

  init(_ error: FeedError) {
    self =
      switch error {
      case .notAFeed(let description): .notAFeed(looksLike: description)
      case .malformed(let flaw): .malformed(FeedProblem(flaw))
      case .beyondLimit(let quantity, let limit): .limitExceeded(of: quantity, limit: limit)
      // A library reports the others, about documents that it follows.
      case .replaced, .otherFolder, .beyondBound, .gallery, .listedBeyondBound, .emptyFolder:
        .notAFeed(looksLike: "another kind of document")
      }
  }
}
