package import Scenes
import Workers

/// A sync for people: a line for each feed, a progress line, and problems.
package final class SyncFeedsTextDisplay: CommandDisplay, SyncFeedsDisplayLogic {
  package let command: CommandConsole
  /// Called with the status text of a watch when the watch begins to wait.
  package var whenWatching: (String) -> Void = { _ in }

  package init(console: Console) { command = CommandConsole(console) }

  /// Writes the explanations even when the user asked for quiet, because they are the requested result.
  package func displayExplainedEntries(viewModel: SyncFeeds.Explained.ViewModel) {
    for entry in viewModel.entries {
      console.writeLine(HarmlessText.line(entry.title))
      let labels = entry.rows.map { TextWidth.columns(of: $0.label) }.max() ?? 0
      for row in entry.rows {
        let label = TextWidth.padded(row.label, to: labels)
        console.writeLine("  \(label)  " + HarmlessText.line("\(row.address) — \(row.reason)"))
      }
    }
  }

  package func displaySyncedFeed(viewModel: SyncFeeds.FeedFinished.ViewModel) {
    writeResult(viewModel.text)
  }

  package func displayWatchedFeeds(viewModel: SyncFeeds.Watch.ViewModel) {
    console.drawStatus(ProgressLine(fraction: nil, text: viewModel.text))
    whenWatching(viewModel.text)
  }

  package func displayEndedSync(viewModel: SyncFeeds.Ended.ViewModel) {
    console.endStatus()
    if let totals = viewModel.totals { writeResult("\(totals)") }
    if let note = viewModel.note { console.say(note) }
    note(viewModel.outcome)
  }

  /// Writes the timings even when the user asked for quiet, because an option requests them explicitly.
  package func displayTimedSync(viewModel: SyncFeeds.Timed.ViewModel) {
    console.say(viewModel.title)
    let phases = viewModel.rows.map { TextWidth.columns(of: $0.phase) }.max() ?? 0
    let times = viewModel.rows.map { TextWidth.columns(of: $0.time) }.max() ?? 0
    for row in viewModel.rows {
      let phase = TextWidth.padded(row.phase, to: phases)
      let indent = String(repeating: " ", count: times - TextWidth.columns(of: row.time))
      console.say("  \(phase)  \(indent)\(row.time)  \(row.detail)")
    }
  }
}

/// The messages of a sync, which people and scripts get alike.
extension CommandDisplay where Self: SyncMessageDisplayLogic {
  /// Writes a problem of a sync, as a message, a note or a detail, by its severity.
  ///
  /// If the user asked for quiet, it leaves out a problem that an earlier sync has told.
  package func displaySyncProblem(viewModel: SyncFeeds.Problem.ViewModel) {
    if viewModel.isKnown, console.options.isQuiet { return }
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
    let text = viewModel.text.commandLine
    if viewModel.endsFailure { console.say(text) } else { console.note(text) }
    guard let file = viewModel.authorities else { return }
    let setting = "extra-ca = \(TOMLString.quoted(file))"
    let tables = viewModel.feeds.map { "[feed.\(TOMLString.quoted($0))]" }
    let lines = tables.isEmpty ? [setting] : tables.flatMap { [$0, setting] }
    for line in lines { console.note(line, wraps: false) }
  }
}
