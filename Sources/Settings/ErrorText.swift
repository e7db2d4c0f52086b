package import ArgumentParser

extension ParsableArguments {
  /// The text of an error: with the usage of the command only if the command was mistyped.
  ///
  /// The parser wraps the errors that it throws. Any other one is that of settings, or of a command that has begun; and a
  /// message with `cannot` is about a file.
  package static func errorText(for error: any Error) -> String {
    let message = message(for: error)
    let isMistyped = !(error is ValidationError) && !message.hasPrefix("cannot ")
    return isMistyped ? fullMessage(for: error) : "Error: \(message)"
  }
}
