/// How a use case ended, for a medium to tell in its own way: an exit status, an HTTP status.
package enum Outcome: Sendable, Equatable {
  case done
  /// Nothing of what was asked for could be done.
  case failed
  /// Something failed, or was found damaged; the rest is done.
  case partly
  /// There is no such image or feed.
  case notFound
  /// The picture could not be had now.
  case unavailable
  /// What was asked for makes no sense as it stands.
  case misused

  /// What two outcomes of one request come to.
  package func combined(with other: Outcome) -> Outcome {
    if self == other { return self }
    let both = [self, other]
    return both.contains(.done) || both.contains(.partly) ? .partly : self
  }
}
