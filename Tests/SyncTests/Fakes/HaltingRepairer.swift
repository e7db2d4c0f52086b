import Workers

/// Says when a repair has begun, and waits with its end.
struct HaltingRepairer: PictureRepairing {
  let begun = Door()
  let end = Door()

  func repair(_ thing: CheckedThing) async throws(Failure) {
    begun.open()
    await end.passed()
  }
}
