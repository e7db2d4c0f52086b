package import Workers

/// Remembers nothing; notes what it is to remember as damaged, and fails when it was given an error.
package final class DamageMarkingSpy: DamageMarking {
  package var damaged: [CheckedThing] { recorded.withLock { $0 } }
  private let recorded = Locked<[CheckedThing]>([])
  private let error: StoreError?

  package init(error: StoreError? = nil) { self.error = error }

  package func mark(
    _ thing: CheckedThing,
    as condition: StoredCondition
  ) throws(StoreError) {
    if condition == .damaged { recorded.withLock { $0.append(thing) } }
    if let error { throw error }
  }
}
