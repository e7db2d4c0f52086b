extension Optional {
  /// Takes a value when there is none yet: what an entry says first counts.
  mutating func fill(_ value: @autoclosure () -> Wrapped?) {
    if self == nil { self = value() }
  }
}
