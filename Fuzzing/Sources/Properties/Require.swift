/// Throws a reason unless something holds.
func require(_ holds: Bool, _ reason: @autoclosure () -> String) throws(BrokenProperty) {
  if !holds { throw BrokenProperty(reason: reason()) }
}

/// Throws unless two ways to the same thing have led there.
func requireEqual<Value: Equatable>(
  _ one: Value,
  _ other: Value,
  _ reason: @autoclosure () -> String
) throws(BrokenProperty) {
  try require(one == other, "\(reason())\none:   \(one)\nother: \(other)")
}
