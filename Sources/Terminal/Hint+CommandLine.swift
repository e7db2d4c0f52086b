package import Scenes

extension HintedText {
  /// The text with its hints as commands and options.
  package var commandLine: String { text(\.commandLine) }
}

extension Hint {
  /// The hint as a command or an option.
  ///
  /// A change of a backup is suggested for its library, because the backup refuses it.
  package var commandLine: String {
    guard let change, SuggestedCommand.backupQuestion.isBackup else { return words }
    let place = SuggestedCommand.library ?? "PLACE"
    return switch change {
    case .repair: Hint.mendBackup(place: place).words
    case .command(let command): "on its library, \(Self.elsewhere("gallery \(command)"))"
    case .other:
      "this is a backup, which \(Self.elsewhere("gallery backup \(ShellWord.quoted(place))")) brings up to date from its library"
    }
  }

  /// What the hint would change in the library.
  private enum Change {
    case repair
    case command(String)
    case other
  }

  /// Nil for a hint that changes nothing.
  private var change: Change? {
    switch self {
    case .repairPictures, .rebuildIndexes, .takeBackOriginals: .repair
    case .followFeed, .beginLibrary, .getImages, .followOffered, .followPage, .readAddresses,
      .followFolder, .explainFeed, .explainFolder, .removeFeed, .takeNewer, .askDuringPause,
      .allowPrivate, .readWholeFeed, .readWholeList, .acceptRemovals, .takeOver, .takeOverAnyway,
      .moveFolder, .readFromPipe, .askPausedFeed:
      .other
    case .run(let command):
      ["sync", "remove", "verify --repair"].contains(where: command.hasPrefix)
        ? .command(command) : nil
    default: nil
    }
  }

  private var words: String {
    switch self {
    case .followFeed: "\(Self.gallery("sync <feed-url>")) follows one"
    case .beginLibrary: "\(Self.gallery("sync <feed-url>")) begins"
    case .getImages: "\(Self.gallery("sync <feed-url>")) gets some"
    case .followOffered(let addresses):
      "\(addresses.map(Self.follow).joined(separator: " or ")) follows \(addresses.count == 1 ? "the" : "a") feed that the page names"
    case .followPage(let address):
      """
      \(Self.page(address)) follows its own pictures, and for a site with rules of its own, \
      \(Self.galleryDL(address)) those that gallery-dl finds
      """
    case .readAddresses(let file):
      "\(Self.command("sync --input", file)) reads a list of addresses"
    case .followFolder(let path):
      "\(Self.command("sync", path)) follows the pictures of its folder"
    case .explainFeed(let address?):
      "\(Self.command("sync --explain", address)) shows what its entries name"
    case .explainFeed(nil): "\(Self.gallery("sync")) with --explain shows what its entries name"
    case .explainFolder(let address): "\(Self.command("sync --explain", address)) names each"
    case .quoteCamera(let search):
      "a name of several words stands in quotation marks: --search \(ShellWord.quoted(search))"
    case .listImages: "\(Self.gallery("list")) shows the ids"
    case .listFeeds: "\(Self.gallery("feeds")) lists the ones that are"
    case .explainFailures: "\(Self.gallery("feeds")) tells more"
    case .showDetails: "--verbose lists them"
    case .askByOtherScheme(let scheme, let address):
      "\(address.map(Self.follow) ?? "the same address with \(scheme)://") asks \(scheme == "https" ? "with" : "without") TLS"
    case .logIn:
      """
      a login goes into ~/.netrc or into the address (https://USER:PASSWORD@…), and other secrets into the files that \
      headers-file and cookies-file in the feed's settings name; if it is a gallery, 'gallery token add NAME' there makes \
      a token, which is the password, or the end of the address (?token=TOKEN)
      """
    case .renewLogin:
      """
      a sync of the same address with another login (https://USER:PASSWORD@…) replaces it; if it is a gallery, \
      'gallery token list' there shows whether the token is still valid, and 'gallery token add NAME' makes another
      """
    case .keepAuthorities: "for later ones, 'gallery config edit' takes these lines:"
    case .removeFeed(let address?):
      "\(Self.command("remove", address)) stops following it"
    case .removeFeed(nil): "\(Self.gallery("remove <feed>")) stops following it"
    case .removeEither(let added, let other):
      "\(Self.command("remove", added)) stops following the new one, \(Self.command("remove", other)) the other"
    case .repairPictures: "\(Self.gallery("verify --repair")) repairs what can be fetched again"
    case .mendBackup(let place):
      "\(Self.elsewhere("gallery backup --verify \(ShellWord.quoted(place))")) copies what is damaged again, from its library"
    case .beginBackupAnew: "--new begins another backup there"
    case .restoreBackup(let place):
      "\(Self.elsewhere("gallery --cache FOLDER restore \(ShellWord.quoted(place))")) makes a library from it in a new folder"
    case .recoverLibrary(let folder?):
      "\(Self.elsewhere("gallery --cache \(ShellWord.quoted(folder)) recover NEW")) makes a new library of all that can be read"
    case .recoverLibrary(nil):
      "in 'gallery --cache DAMAGED recover NEW', --cache names the damaged library, and NEW the folder of the new one"
    case .readFolders(let library):
      "\(Self.elsewhere("gallery --cache \(ShellWord.quoted(library)) sync")) reads them again"
    case .rebuildIndexes: "\(Self.gallery("verify --repair")) builds damaged indexes again"
    case .restartVerification: "--restart starts from the beginning"
    case .takeBackOriginals(let count):
      """
      after a sync of the feeds, \(Self.gallery("verify --repair")) takes \(count == 1 ? "it" : "them") back for images \
      that are here again
      """
    case .removeStrays(let count): "\(Self.gallery("clean")) removes \(count == 1 ? "it" : "them")"
    case .emptyTrash: "\(Self.gallery("clean --now")) deletes at once"
    case .acceptLinkedOriginals: "\(Self.gallery("clean --linked-originals")) says that it is meant"
    case .chooseLibrary: "--cache names another folder"
    case .replaceFile: "--force replaces it"
    case .showDamaged: "--force without --output shows its file as it is"
    case .takeNewer(let id):
      "\(Self.gallery("show --newer \(id)")) shows it, \(Self.gallery("take-newer \(id)")) accepts it"
    case .retryNow: "or with --retry-failed"
    case .syncAgain(let sync): sync.commandLine
    case .askDuringPause: "\(Self.gallery("sync <feed> --force")) asks once all the same"
    case .allowPrivate: "a sync of the feed with --allow-private tries again"
    case .readWholeFeed: "a sync of the feed with --no-limits reads all of it"
    case .readWholeList: "one with --no-limits asks for all"
    case .acceptRemovals(let address):
      "\(Self.sync(address, "--accept-removals")) removes them here, too"
    case .acceptLosses: "--accept-removals removes them there, too"
    case .takeOver(let former, let address):
      "\(Self.takeOver(former, address)) goes on with that copy"
    case .takeOverAnyway(let former, let address):
      "\(Self.takeOver(former, address, "--accept-removals")) does it all the same"
    case .moveFolder(let former):
      """
      if it has another name now, \
      \(former.map { Self.command("sync NEW --take-over", $0) } ?? "a sync of its new name with --take-over") \
      goes on with its images
      """
    case .readFromPipe: "\(Self.gallery("sync -")) reads another document into it"
    case .run(let command): Self.gallery(command)
    case .askPausedFeed(let isOne):
      "\(Self.gallery("sync <feed>")) asks \(isOne ? "it" : "one") again"
    }
  }
}

extension Hint {
  /// The command that follows a feed.
  private static func follow(_ address: String) -> String { command("sync", address) }

  /// A command on the library of this one.
  private static func gallery(_ words: String) -> String { SuggestedCommand.quoted(words) }

  /// A command on the library of this one about an address, which a stranger may have written.
  private static func command(_ words: String, _ address: String, _ options: String...) -> String {
    gallery(([words, ShellWord.quoted(address)] + options).joined(separator: " "))
  }

  /// A command on another library.
  private static func elsewhere(_ command: String) -> String {
    SuggestedCommand.quoted(whole: command)
  }

  /// The commands that follow what another program finds in a page.
  private static func galleryDL(_ address: String?) -> String {
    let page = address.map(ShellWord.quoted) ?? "PAGE"
    return elsewhere("gallery-dl -j \(page) | \(SuggestedCommand.program) sync -")
  }

  private static func page(_ address: String?) -> String {
    address.map { command("sync --page", $0) } ?? "the same sync with --page"
  }

  /// A sync with an option; in words for an address that has secrets.
  private static func sync(_ address: String?, _ option: String) -> String {
    address.map { command("sync", $0, option) } ?? "the same sync with \(option)"
  }

  private static func takeOver(
    _ former: String?,
    _ address: String?,
    _ options: String...
  ) -> String {
    let words = ["--take-over", former.map(ShellWord.quoted) ?? "FORMER"] + options
    return sync(address, words.joined(separator: " "))
  }
}

extension Hint.SyncAgain {
  fileprivate var commandLine: String {
    let sync = isOriginal ? "sync with --originals" : "sync"
    return switch time {
    case .next: "the next \(sync) tries again"
    case .later: "a later \(sync) tries again"
    case .someDaysLater: "a \(sync) some days later tries again, one with --retry-failed at once"
    }
  }
}
