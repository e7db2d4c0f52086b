/// What a stored picture was found to be.
package enum StoredCondition: Sendable, Equatable {
  /// As it was stored.
  case whole
  case damaged
  /// Its file is gone.
  case missing
}

/// Remembers which stored pictures are not what was stored.
package protocol DamageMarking: Sendable {
  /// Remembers what a thumbnail or an original was found to be.
  ///
  /// A damaged or missing one is wanted again, whatever its server says of having changed; what is
  /// stored of it stays until then.
  func mark(_ thing: CheckedThing, as condition: StoredCondition) async throws(StoreError)
}
