package import Workers

/// The requests of the scene.
package protocol MoveLibraryBusinessLogic {
  /// Copies the library, and presents the progress and the result.
  ///
  /// - Returns: Whether the copy ran to its end, so that it can be verified.
  func moveLibrary(request: MoveLibrary.Move.Request) async -> Bool
}

/// Copies the library to another place, backs it up, or restores it from a backup.
package struct MoveLibraryInteractor: MoveLibraryBusinessLogic {
  private let presenter: any RunPresentationLogic<MoveLibrary.Move>
  private let library: any LibraryReading
  private let mover: any LibraryMoving
  private let purpose: CopyPurpose
  private let place: String
  private let isVerified: Bool
  private let hasWholeBackup: @Sendable () async -> Bool
  private let knowsBackup: @Sendable () -> Bool
  private let pause: Pause

  /// Creates the interactor.
  ///
  /// `place` names the target, `isVerified` says whether the mover reads all that is there, `hasWholeBackup` whether an
  /// undamaged backup is there, and `knowsBackup` whether one of this library was made there. `pause` waits between two
  /// presentations of the progress.
  package init(
    presenter: any RunPresentationLogic<MoveLibrary.Move>,
    library: any LibraryReading,
    mover: any LibraryMoving,
    purpose: CopyPurpose,
    place: String,
    isVerified: Bool = false,
    hasWholeBackup: @escaping @Sendable () async -> Bool = { false },
    knowsBackup: @escaping @Sendable () -> Bool = { false },
    pause: @escaping Pause = tenthOfASecond
  ) {
    self.presenter = presenter
    self.library = library
    self.mover = mover
    self.purpose = purpose
    self.place = place
    self.isVerified = isVerified
    self.hasWholeBackup = hasWholeBackup
    self.knowsBackup = knowsBackup
    self.pause = pause
  }

  package func moveLibrary(request: MoveLibrary.Move.Request) async -> Bool {
    do throws(RequestFailure) {
      // This fails for a missing library, which has nothing to copy.
      _ = try await library.feeds(for: failing)
      let end = try await presenter.follow(mover.move(), stop: request.stop, pause) {
        fact throws(RequestFailure) in
        switch fact {
        case .ended(let counts): ended(counts, isInterrupted: false)
        case .interrupted(let counts): ended(counts, isInterrupted: true)
        case .failed(let error): throw .library(error, failing)
        case .damagedThumbnail, .missingOriginal, .damagedOriginal, .keptFile:
          .note(.init(fact: fact))
        }
      }
      return end?.isInterrupted == false
    } catch {
      presenter.presentFailure(response: .init(failure: await explained(error)))
      return false
    }
  }

  /// Tells of a failed backup whether the library is damaged, or the backup.
  private func explained(_ failure: RequestFailure) async -> RequestFailure {
    guard case .library(let error, .backup) = failure,
      [.unreadable, .unsound].contains(error.reason)
    else { return failure }
    if error.path == place || error.path.hasPrefix("\(place)/") {
      return .damagedBackup(error, isKnown: knowsBackup())
    }
    // The library's own data can be read if only its indexes are damaged.
    let isLost = error.reason == .unreadable
    let isBackedUp = isLost ? await hasWholeBackup() : false
    return .damagedLibrary(error, .backup, backup: isBackedUp ? place : nil)
  }

  /// The purpose of the request in the message of a failure.
  private var failing: RequestFailure.Purpose {
    switch purpose {
    case .move: .move
    case .backup: .backup
    case .restore: .restore
    }
  }

  private func ended(_ counts: MoveCounts, isInterrupted: Bool) -> RunStep<MoveLibrary.Move> {
    var response = MoveLibrary.Move.Ended.Response(
      purpose: purpose,
      place: place,
      counts: counts,
      isInterrupted: isInterrupted
    )
    response.isVerified = isVerified
    return .end(response)
  }
}
