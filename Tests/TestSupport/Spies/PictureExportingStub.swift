package import Workers

/// Writes nothing; records the copies, and fails if it has an error.
package final class PictureExportingStub: PictureExporting {
  package struct Copy: Equatable, Sendable {
    package var picture: ExportedPicture
    package var destination: ExportDestination

    package init(_ picture: ExportedPicture, to destination: ExportDestination) {
      self.picture = picture
      self.destination = destination
    }
  }

  package var copies: [Copy] { recorded.withLock { $0 } }
  private let recorded = Locked<[Copy]>([])
  private let error: ExportError?
  /// Whether only the first copy fails.
  private let failsOnce: Bool

  package init(error: ExportError? = nil, failsOnce: Bool = false) {
    self.error = error
    self.failsOnce = failsOnce
  }

  package func export(
    _ picture: ExportedPicture,
    to destination: ExportDestination
  ) throws(ExportError) {
    recorded.withLock { $0.append(Copy(picture, to: destination)) }
    if let error, !failsOnce || copies.count == 1 { throw error }
  }
}

/// Records the pictures to open, and fails if it has an error.
package final class PictureOpeningStub: PictureOpening {
  package var opened: [StoredOriginal] { recorded.withLock { $0 } }
  private let recorded = Locked<[StoredOriginal]>([])
  private let error: OpeningError?

  package init(error: OpeningError? = nil) { self.error = error }

  package func open(_ original: StoredOriginal) throws(OpeningError) {
    if let error { throw error }
    recorded.withLock { $0.append(original) }
  }
}
