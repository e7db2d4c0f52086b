package import Scenes
import Workers

/// The console of a command, and the combined outcome of its requests.
package final class CommandConsole {
  let console: Console
  /// Nil before the first request.
  package private(set) var outcome: Outcome?
  /// The number of images that a list has shown.
  package internal(set) var listed = 0

  package init(_ console: Console) { self.console = console }

  /// Records the outcome of one request.
  func note(_ outcome: Outcome) {
    self.outcome = self.outcome.map { $0.combined(with: outcome) } ?? outcome
  }
}

/// A display of a command.
package protocol CommandDisplay: RunDisplayLogic {
  var command: CommandConsole { get }
}

/// The display of a scene that only does long work.
package struct RunTextDisplay: CommandDisplay {
  package let command: CommandConsole

  package init(console: Console) { command = CommandConsole(console) }
}

extension CommandDisplay {
  var console: Console { command.console }

  /// The combined outcome of the requests so far; nil before the first.
  package var outcome: Outcome? { command.outcome }

  func note(_ outcome: Outcome) { command.note(outcome) }

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
    switch viewModel.kind {
    case .result: console.writeSentence(text)
    case .problem: console.say(text, style: .problem)
    case .path: console.print(text)
    }
  }

  /// Writes the result of long work, and records the outcome.
  package func displayEnd(viewModel: Run.Ended.ViewModel) {
    console.endStatus()
    writeResult(viewModel.text)
    note(viewModel.outcome)
  }

  package func displayFailure(viewModel: Fail.ViewModel) { writeFailure(viewModel) }

  /// Writes the reason why a request failed, and records the outcome.
  func writeFailure(_ viewModel: Fail.ViewModel) {
    console.endStatus()
    console.say(
      words(viewModel.message, isUntrusted: viewModel.isUntrusted),
      style: viewModel.outcome == .done ? .plain : .problem
    )
    note(viewModel.outcome)
  }

  /// A message, with the option that helps when a certificate is not trusted.
  func words(_ message: HintedText, isUntrusted: Bool) -> String {
    isUntrusted
      ? "\(message.commandLine); --extra-ca FILE trusts the authorities of a file, too"
      : message.commandLine
  }
}
