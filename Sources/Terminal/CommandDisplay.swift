package import Scenes
import Workers

/// What every display of a command has: somewhere to speak, and how what was shown came out.
package class CommandDisplay {
  let console: Console
  /// What the requests shown so far come to together; nil before the first.
  package private(set) var outcome: Outcome?

  package init(console: Console) { self.console = console }

  /// Notes how one request came out.
  func note(_ outcome: Outcome) {
    self.outcome = self.outcome.map { $0.combined(with: outcome) } ?? outcome
  }

  /// Says what was wrong in a sync, as loudly as it matters.
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

  /// A message, and the option that helps where a certificate is not trusted.
  func words(_ message: String, isUntrusted: Bool) -> String {
    isUntrusted ? "\(message); --cacert FILE trusts the authorities of a file" : message
  }

  /// Says why a request came to nothing.
  func fail(_ message: String, _ outcome: Outcome) {
    console.endStatus()
    console.say(message, style: outcome == .done ? .plain : .problem)
    note(outcome)
  }
}
