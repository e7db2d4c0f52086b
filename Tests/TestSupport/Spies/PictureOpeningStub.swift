package import Workers

/// Notes what it is to open; fails when it was told to.
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
