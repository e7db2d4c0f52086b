/// Something that a person can do next.
///
/// Each medium presents it in its own way: as a command, a link or a button. People copy a command, so an address is nil
/// if it has secrets: the medium then says in words which one is meant.
package enum Hint: Equatable, Sendable {
  /// Following a feed, because the library follows no feed, does not exist, or has no images.
  case followFeed, beginLibrary, getImages
  /// Following a feed that a web page names.
  case followOffered(addresses: [String])
  /// Following the own pictures of a web page without a feed, or reading it with another program.
  case followPage(address: String?)
  /// Reading a file, or standard input (`-`), as a list of addresses and not as a feed.
  case readAddresses(file: String)
  /// Following the folder of a picture.
  case followFolder(path: String)
  /// Viewing the reasons why a feed has no images.
  case explainFeed(address: String?)
  /// Viewing which files of a folder are left out, and why.
  case explainFolder(address: String)
  /// Searching for a camera whose name has several words.
  case quoteCamera(search: String)
  case listImages
  case listFeeds
  /// Viewing the reasons why pictures of a list are missing.
  case explainFailures
  /// Viewing each of the problems that a message sums up.
  case showDetails
  /// Asking the same server by the other of https and http, which is named.
  case askByOtherScheme(String, address: String?)
  /// Giving a server a name and a password, or what else it knows a user by.
  case logIn
  /// Giving a server another login in place of one that it refuses.
  case renewLogin
  /// Trusting certificate authorities in later syncs, too, by settings that the medium writes out.
  case keepAuthorities
  /// Removing the feed at an address.
  case removeFeed(address: String?)
  /// Removing a feed that was just added, or the other one that has the same pictures.
  case removeEither(added: String, other: String)
  case repairPictures, rebuildIndexes
  /// Copying what is damaged in a backup again, from its library.
  case mendBackup(place: String)
  /// Beginning a backup where an earlier one is gone.
  case beginBackupAnew
  /// Making a library from a backup, in another folder than that of the damaged library.
  case restoreBackup(place: String)
  /// Making a new library from what the damaged one in a folder still has; nil if it is not known which one is meant.
  case recoverLibrary(folder: String?)
  /// Syncing a recovered library, which has not read its folders of pictures yet.
  case readFolders(library: String)
  case restartVerification
  /// Taking files back that nothing refers to, but which are originals by their names.
  case takeBackOriginals(count: Int)
  /// Deleting files that nothing refers to.
  case removeStrays(count: Int)
  case emptyTrash
  case acceptLinkedOriginals
  case chooseLibrary
  case replaceFile
  /// Showing a damaged original anyway.
  case showDamaged
  /// Viewing the newer picture beside the stored one of an image, or putting it in its place.
  case takeNewer(imageID: Int64)
  /// Retrying failed pictures before their retry time.
  case retryNow
  /// A later sync, which requests the picture again.
  case syncAgain(SyncAgain)
  /// Asking for a feed although its host has asked for a pause.
  case askDuringPause
  /// Permitting a feed to lead to private addresses.
  case allowPrivate
  /// Reading one feed, or all feeds of a list, without limits.
  case readWholeFeed, readWholeList
  /// Losing the images of a copy that its gallery has lost.
  case acceptRemovals(address: String?)
  /// Losing the images of a backup, or of another copy of the library, that the library has lost.
  case acceptLosses
  /// Following a gallery at another address from now on.
  case takeOver(former: String?, address: String?)
  /// The same when little of what the library has is there.
  case takeOverAnyway(former: String?, address: String?)
  /// Following a folder of pictures at its new place.
  case moveFolder(former: String?)
  /// Reading another document into a feed from a pipe.
  case readFromPipe
  /// Syncing a paused feed, or one of several.
  case askPausedFeed(isOne: Bool)

  /// A command on this library, in a text that says what it does; the words behind the program's name.
  case run(command: String)

  /// The sync that requests a picture again.
  package struct SyncAgain: Equatable, Sendable {
    package enum Time: Equatable, Sendable { case next, later, someDaysLater }

    package var time: Time
    /// Whether the picture is an original, which not every sync fetches.
    package var isOriginal: Bool
  }
}

/// A text for people that may contain hints.
package struct HintedText: Equatable, Sendable, ExpressibleByStringInterpolation {
  package enum Piece: Equatable, Sendable {
    case text(String)
    case hint(Hint)
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { append(literal) }

    package mutating func appendInterpolation(_ text: some StringProtocol) { append(String(text)) }

    package mutating func appendInterpolation(_ number: Int) { append(String(number)) }

    package mutating func appendInterpolation(_ hint: Hint) { pieces.append(.hint(hint)) }

    package mutating func appendInterpolation(_ text: HintedText) {
      for piece in text.pieces {
        switch piece {
        case .text(let text): append(text)
        case .hint: pieces.append(piece)
        }
      }
    }

    private mutating func append(_ text: String) {
      if text.isEmpty { return }
      if case .text(let start) = pieces.last {
        pieces[pieces.count - 1] = .text(start + text)
      } else {
        pieces.append(.text(text))
      }
    }
  }

  private var pieces: [Piece]

  package init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

  package init(stringLiteral value: String) { self = "\(value)" }

  /// The whole text, with each hint in the words of a medium.
  package func text(_ words: (Hint) -> String) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .hint(let hint): words(hint)
      }
    }.joined()
  }

  /// The text for a medium without words for hints, which ends before the part with the first hint.
  package var withoutHints: String {
    var text = ""
    for piece in pieces {
      guard case .text(let part) = piece else { return Self.beforeLastPart(of: text) }
      text += part
    }
    return text
  }

  /// The text before what its last separator begins; the whole text without one.
  private static func beforeLastPart(of text: String) -> String {
    let starts = [" — ", "; ", ", and "].compactMap { separator in
      text.ranges(of: separator).last?.lowerBound
    }
    return starts.max().map { String(text[..<$0]) } ?? text
  }
}

extension [HintedText] {
  func joined(separator: String) -> HintedText {
    guard let first else { return "" }
    return dropFirst().reduce(first) { "\($0)\(separator)\($1)" }
  }
}
