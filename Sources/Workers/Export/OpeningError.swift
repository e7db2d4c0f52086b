package import Models

/// Why an original was not handed to another program.
package enum OpeningError: Error, Sendable, Equatable {
  /// A format that can hold programs, which a viewer may run.
  case activeContent(ImageFormat)
  /// The program that opens files is in no folder of `PATH`; its name.
  case noProgram(name: String)
  /// The system refused to start it; its own words.
  case cannotStart(name: String, message: String)
}
