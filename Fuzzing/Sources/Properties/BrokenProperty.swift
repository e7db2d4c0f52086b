/// What should hold of every input, and does not of one.
struct BrokenProperty: Error, CustomStringConvertible {
  let reason: String

  var description: String { "a property does not hold: \(reason)" }
}
