import Models

/// The pictures of one feed that could not be had: what is told of them, and what is to be remembered.
struct PictureFailures {
  private let tools: SyncTools
  private var pausedHosts: Set<String> = []

  init(_ tools: SyncTools) { self.tools = tools }

  /// Whether a failure is told and counted: that a host wants to be left alone, once.
  ///
  /// Its other pictures have not failed, since nobody has asked for them: they wait.
  mutating func isTold(_ failure: Failure, of order: PictureOrder) -> Bool {
    guard failure.pausedUntil != nil else { return true }
    return pausedHosts.insert(order.address.authority ?? "").inserted
  }

  /// What is remembered of a failure; nil for one that says nothing of the picture.
  func memory(of failure: Failure, _ order: PictureOrder) -> FailedPicture? {
    failure.pictureClass.map { failureClass in
      FailedPicture(
        imageID: order.imageID,
        address: order.address,
        failureClass: failureClass,
        reason: tools.wording(failure),
        failed: tools.now(),
        pausedUntil: failure.pausedUntil
      )
    }
  }
}
