import ArgumentParser
import Models
import Terminal

/// One of some words that an option takes: the raw values of its cases.
///
/// The parser finds the same words by itself, but asks the runtime about each of a dozen types to do
/// so, at the start of every command.
protocol WordArgument: ExpressibleByArgument, CaseIterable, RawRepresentable<String> {}

extension WordArgument {
  var defaultValueDescription: String { rawValue }

  static var allValueStrings: [String] { allCases.map { $0.rawValue } }

  /// None has more to say than its word.
  static var allValueDescriptions: [String: String] { [:] }
}

extension ImageQuery.Order: WordArgument {}

extension PictureMode: WordArgument {}
