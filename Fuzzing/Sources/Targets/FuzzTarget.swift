/// A part of the program that reads data from strangers.
protocol FuzzTarget: Sendable {
  /// The name that selects the target.
  var name: String { get }

  /// The file of words for new inputs, in `Dictionaries` and without its extension.
  var dictionary: String { get }

  /// The sources of the first inputs.
  var seeds: [Seed] { get }

  /// Reads one input.
  ///
  /// - Throws: when a property does not hold.
  func run(_ input: [UInt8]) throws(BrokenProperty)
}
