package import Scenes
import Workers

/// The base of all displays of a command: the console, and the outcome of the requests.
package class CommandDisplay {
  let console: Console
  /// The combined outcome of the requests so far; nil before the first.
  package private(set) var outcome: Outcome?

  package init(console: Console) { self.console = console }

  /// Records the outcome of one request.
  func note(_ outcome: Outcome) {
    self.outcome = self.outcome.map { $0.combined(with: outcome) } ?? outcome
  }

  /// Writes a problem of a sync, as a message, a note or a detail, by its severity.
  func tell(_ problem: ListImages.SyncFeeds.Problem.ViewModel) {
    let hint = console.options.isVerbose ? nil : problem.hint
    let text =
      words(problem.text, isUntrusted: problem.isUntrusted)
      + (hint.map { "; \($0)" } ?? "")
    switch problem.severity {
    case .failure: console.say(text, style: .problem)
    case .warning: console.note(text)
    case .blemish: console.detail(text)
    }
    for detail in problem.details { console.detail(detail) }
  }

  /// A message, with the option that helps when a certificate is not trusted.
  func words(_ message: String, isUntrusted: Bool) -> String {
    isUntrusted ? "\(message); --cacert FILE trusts the authorities of a file" : message
  }

  /// Writes why a request failed, and records the outcome.
  func fail(_ message: String, _ outcome: Outcome) {
    console.endStatus()
    console.say(message, style: outcome == .done ? .plain : .problem)
    note(outcome)
  }
}
