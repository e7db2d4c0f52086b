/// Something of a library that is not as it should be.
package struct CheckFinding: Sendable, Equatable {
  package enum Condition: Sendable, Equatable {
    case damaged(Damage)
    /// The library says that it is stored, and it is not there.
    case missing
    /// Nothing refers to it: it takes room and does no harm.
    case stray(bytes: Int)
    /// It could not be looked at.
    case unreadable(StoreError)
  }

  package var thing: CheckedThing
  package var condition: Condition

  package init(_ thing: CheckedThing, _ condition: Condition) {
    self.thing = thing
    self.condition = condition
  }
}
