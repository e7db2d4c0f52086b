/// A property that should hold for every input, but does not hold for one.
struct BrokenProperty: Error, CustomStringConvertible {
  let reason: String

  var description: String { "a property does not hold: \(reason)" }
}
