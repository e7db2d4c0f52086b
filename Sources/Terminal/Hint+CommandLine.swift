package import Scenes

extension HintedText {
  /// The text with its hints as commands and options.
  package var commandLine: String { text(\.commandLine) }
}

extension Hint {
  /// The hint as a command or an option.
  package var commandLine: String {
    switch self {
    case .followFeed: "'gallery sync <feed-url>' follows one"
    case .beginLibrary: "'gallery sync <feed-url>' begins"
    case .getImages: "'gallery sync <feed-url>' gets some"
    case .followOffered(let addresses):
      "\(addresses.map(Self.follow).joined(separator: " or ")) follows \(addresses.count == 1 ? "the" : "a") feed that the page names"
    case .listImages: "'gallery list' shows the ids"
    case .listFeeds: "'gallery feeds' lists the ones that are"
    case .explainFailures: "'gallery feeds' tells more"
    case .showDetails: "--verbose lists them"
    case .removeFeed(let address): "'gallery remove \(address)' stops following it"
    case .repairPictures: "'gallery verify --repair' repairs what can be fetched again"
    case .rebuildIndexes: "'gallery verify --repair' builds damaged indexes again"
    case .restartVerification: "--restart starts from the beginning"
    case .removeStrays(let count): "'gallery clean' removes \(count == 1 ? "it" : "them")"
    case .emptyTrash: "'gallery clean --now' deletes at once"
    case .acceptLinkedOriginals: "'gallery clean --linked-originals' says that it is meant"
    case .chooseLibrary: "--cache names another folder"
    case .replaceFile: "--force replaces it"
    case .showDamaged: "--force without --output shows its file as it is"
    case .retryNow: "or with --retry-failed"
    case .syncAgain(let sync): sync.commandLine
    case .askDuringPause: "'gallery sync <feed> --force' asks once all the same"
    case .allowPrivate: "a sync of the feed with --allow-private tries again"
    case .readWholeFeed: "a sync of the feed with --no-limits reads all of it"
    case .readWholeList: "one with --no-limits asks for all"
    case .acceptRemovals(let address):
      "'gallery sync \(address) --accept-removals' removes them here, too"
    case .takeOver(let former, let address):
      "'gallery sync \(address) --take-over \(former)' goes on with that copy"
    case .readFromPipe: "'gallery sync -' reads another document into it"
    case .askPausedFeed(let isOne): "'gallery sync <feed>' asks \(isOne ? "it" : "one") again"
    }
  }
}

extension Hint {
  /// The command that follows a feed; a stranger may have written its address.
  private static func follow(_ address: String) -> String {
    let word = ShellWord.quoted(address)
    return word == address ? "'gallery sync \(word)'" : "gallery sync \(word)"
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
