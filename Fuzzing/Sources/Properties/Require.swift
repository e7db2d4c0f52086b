/// Throws a reason unless a condition holds.
func require(_ holds: Bool, _ reason: @autoclosure () -> String) throws(BrokenProperty) {
  if !holds { throw BrokenProperty(reason: reason()) }
}

/// Throws unless two ways of computing a value give equal results.
func requireEqual<Value: Equatable>(
  _ one: Value,
  _ other: Value,
  _ reason: @autoclosure () -> String
) throws(BrokenProperty) {
  try require(one == other, "\(reason())\none:   \(one)\nother: \(other)")
}
