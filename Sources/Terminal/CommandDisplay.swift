package import Scenes
import Workers

/// The base of all displays of a command: the console, and the outcome of the requests.
package class CommandDisplay: RunDisplayLogic {
  let console: Console
  /// The combined outcome of the requests so far; nil before the first.
  package private(set) var outcome: Outcome?

  package init(console: Console) { self.console = console }

  /// Records the outcome of one request.
  func note(_ outcome: Outcome) {
    self.outcome = self.outcome.map { $0.combined(with: outcome) } ?? outcome
  }

  /// Writes a sentence that is a result, unless the user asked for quiet.
  func writeResult(_ text: HintedText) {
    if !console.options.isQuiet { console.writeSentence(text.commandLine) }
  }

  /// Writes names with their values, aligned, as the result of a request.
  func writeFields(_ fields: [DescriptionField]) {
    let width = fields.map(\.name.count).max() ?? 0
    for field in fields {
      let name = console.style(.dim).text(TextWidth.padded(field.name, to: width))
      console.writeLine("\(name)  \(value(of: field, indent: width + 2))")
    }
    note(.done)
  }

  /// The value of a field, which a terminal shows wrapped within its column.
  private func value(of field: DescriptionField, indent: Int) -> String {
    let value = HarmlessText.line(field.value)
    guard let columns = console.options.outputColumns, columns > 2 * indent else { return value }
    return TextWidth.wrapped(value, to: columns - indent)
      .replacing("\n", with: "\n" + String(repeating: " ", count: indent))
  }

  package func displayProgress(viewModel: Run.Progress.ViewModel) {
    console.drawStatus(viewModel.line)
  }

  package func displayNote(viewModel: Run.Note.ViewModel) {
    let text = viewModel.text.commandLine
    if viewModel.isProblem {
      console.say(text, style: .problem)
    } else {
      console.writeSentence(text)
    }
  }

  /// Writes the result of long work, and records the outcome.
  package func displayEnd(viewModel: Run.Ended.ViewModel) {
    console.endStatus()
    writeResult(viewModel.text)
    note(viewModel.outcome)
  }

  /// Writes the reason why a request failed, and records the outcome.
  package func displayFailure(viewModel: Fail.ViewModel) {
    console.endStatus()
    console.say(
      words(viewModel.message, isUntrusted: viewModel.isUntrusted),
      style: viewModel.outcome == .done ? .plain : .problem
    )
    note(viewModel.outcome)
  }

  /// Writes a problem of a sync, as a message, a note or a detail, by its severity.
  package func displaySyncProblem(viewModel: SyncFeeds.Problem.ViewModel) {
    let hint = console.options.isVerbose ? nil : viewModel.hint
    let text =
      words(viewModel.text, isUntrusted: viewModel.isUntrusted)
      + (hint.map { "; \($0.commandLine)" } ?? "")
    switch viewModel.severity {
    case .failure: console.say(text, style: .problem)
    case .warning: console.note(text)
    case .blemish: console.detail(text)
    }
    for detail in viewModel.details { console.detail(detail.commandLine) }
  }

  package func displaySyncNotice(viewModel: SyncFeeds.Notice.ViewModel) {
    console.note(viewModel.text.commandLine)
  }

  /// A message, with the option that helps when a certificate is not trusted.
  private func words(_ message: HintedText, isUntrusted: Bool) -> String {
    isUntrusted
      ? "\(message.commandLine); --cacert FILE trusts the authorities of a file"
      : message.commandLine
  }
}

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
