import Models
package import Scenes

/// A message of a scene, as a server tells it.
///
/// If the library failed, the message may name files of this machine, its database or its object store. Then only the
/// log of the server has it, and readers get another text.
package struct WebMessage: Equatable, Sendable {
  package let text: String
  /// The message for the log; nil unless it is withheld from readers.
  package let cause: String?

  package init(_ message: HintedText, isOfLibrary: Bool) {
    let told = message.webText
    (text, cause) = isOfLibrary ? ("the server's log has the reason", told) : (told, nil)
  }
}

extension HintedText {
  /// The text with its hints in the words of a page, and without addresses of files.
  package var webText: String { WebAddress.withholdingFiles(in: text(\.webText)) }
}

extension Hint {
  /// The words for something that a reader of pages can do.
  ///
  /// If only the machine's user can do it, they name the command.
  fileprivate var webText: String {
    switch self {
    case .followFeed, .beginLibrary, .getImages: "add a feed under Feeds"
    case .followOffered(let addresses):
      "the page names \(addresses.joined(separator: " and ")), which you can add under Feeds"
    case .followPage:
      "'gallery sync --page' follows the own pictures of a page, and gallery-dl reads sites with rules of their own"
    case .readAddresses: "'gallery sync --input' reads a list of addresses"
    case .followFolder: "'gallery sync' follows the pictures of its folder"
    case .explainFeed: "'gallery sync --explain' shows what its entries name"
    case .explainFolder: "'gallery sync --explain' names each"
    case .quoteCamera(let search): "a name of several words stands in quotation marks: \(search)"
    case .listImages: "the list of images has those that are"
    case .listFeeds, .explainFailures: "Feeds tells more"
    case .showDetails: "the server's log has them with --verbose"
    case .askByOtherScheme(let scheme, let address):
      "the server may answer at \(address ?? "\(scheme)://")"
    case .logIn:
      """
      ~/.netrc, the address, or a headers-file or cookies-file in the settings has a login; that of another gallery has \
      one of its tokens as password
      """
    case .renewLogin:
      "add the same address again with another login, for a gallery with another of its tokens"
    case .keepAuthorities: "extra-ca in the settings of the feed names them for later ones"
    case .removeFeed: "Remove under Feeds stops following it"
    case .removeEither: "Remove under Feeds stops following one of them"
    case .repairPictures, .rebuildIndexes: "'gallery verify --repair' repairs it"
    case .mendBackup: "'gallery backup --verify' copies it again"
    case .beginBackupAnew: "'gallery backup --new' begins another"
    case .restoreBackup: "'gallery restore' makes a library from it"
    case .recoverLibrary: "'gallery recover' makes a new library of all that can be read"
    case .readFolders: "a sync of the new library reads them again"
    case .restartVerification: "'gallery verify --restart' begins again"
    case .takeBackOriginals: "'gallery verify --repair' takes originals back"
    case .removeStrays, .emptyTrash, .acceptLinkedOriginals: "'gallery clean' helps"
    case .chooseLibrary: "'gallery serve --cache' names another library"
    case .replaceFile, .showDamaged: "the command line can"
    case .takeNewer(let id): "'gallery take-newer \(id)' accepts it"
    case .retryNow: "or with 'gallery sync --retry-failed'"
    case .syncAgain: "a later sync tries again"
    case .askDuringPause: "'gallery sync <feed> --force' asks once all the same"
    case .allowPrivate: "adding it again with private addresses allowed tries again"
    case .readWholeFeed, .readWholeList: "'gallery sync --no-limits' reads all of it"
    case .acceptRemovals: "a 'gallery sync' of it with --accept-removals removes them here, too"
    case .acceptLosses: "'gallery backup --accept-removals' removes them there, too"
    case .takeOver: "'gallery sync NEW --take-over FORMER' goes on with that copy"
    case .takeOverAnyway:
      "'gallery sync NEW --take-over FORMER --accept-removals' does it all the same"
    case .moveFolder:
      "if it has another name now, 'gallery sync NEW --take-over OLD' goes on with its images"
    case .readFromPipe: "'gallery sync -' reads another document into it"
    case .run(let command): "'gallery \(command)'"
    case .askPausedFeed: "a sync of the feed alone asks again"
    }
  }
}
