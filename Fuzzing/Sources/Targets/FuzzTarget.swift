/// Something of the program that reads what strangers have written.
protocol FuzzTarget: Sendable {
  /// What the target is asked for by.
  var name: String { get }

  /// The file of words in `Dictionaries` that inputs are made with, without its extension.
  var dictionary: String { get }

  /// What inputs are made from at first.
  var seeds: [Seed] { get }

  /// Reads one input.
  ///
  /// - Throws: when a property does not hold.
  func run(_ input: [UInt8]) throws(BrokenProperty)
}
