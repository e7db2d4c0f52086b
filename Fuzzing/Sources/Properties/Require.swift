/// Traps with a reason, which libFuzzer reports like any other crash, unless something holds.
func require(_ holds: Bool, _ reason: @autoclosure () -> String) {
  if !holds { fatalError("a property does not hold: \(reason())") }
}

/// Traps unless two ways to the same thing have led there.
func requireEqual<Value: Equatable>(_ one: Value, _ other: Value, _ reason: String) {
  require(one == other, "\(reason)\none:   \(one)\nother: \(other)")
}
