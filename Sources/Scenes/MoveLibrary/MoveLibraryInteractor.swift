package import Workers

/// The requests of the scene.
package protocol MoveLibraryBusinessLogic {
  /// Copies the library, and presents the progress and the result.
  ///
  /// - Returns: Whether the copy ran to its end, so that it can be verified.
  func moveLibrary(request: MoveLibrary.Move.Request) async -> Bool
}

/// Copies the library to another place.
package struct MoveLibraryInteractor: MoveLibraryBusinessLogic {
  private let presenter: any MoveLibraryPresentationLogic
  private let library: any LibraryReading
  private let mover: any LibraryMoving
  private let place: String
  private let pause: Pause

  /// Creates the interactor; `place` names the target, and `pause` waits between two presentations of the progress.
  package init(
    presenter: any MoveLibraryPresentationLogic,
    library: any LibraryReading,
    mover: any LibraryMoving,
    place: String,
    pause: @escaping Pause = tenthOfASecond
  ) {
    self.presenter = presenter
    self.library = library
    self.mover = mover
    self.place = place
    self.pause = pause
  }

  package func moveLibrary(request: MoveLibrary.Move.Request) async -> Bool {
    do throws(RequestFailure) {
      // This fails for a missing library, which has nothing to copy.
      _ = try await library.feeds(for: .move)
      return try await follow(mover.move(), stop: request.stop)
    } catch {
      presenter.presentFailure(response: .init(failure: error))
      return false
    }
  }

  private func follow(_ run: MoveRun, stop: StopRequest) async throws(RequestFailure) -> Bool {
    stop.whenMade { run.stop() }
    for await fact in ticking(run.facts, pause) {
      switch fact {
      case nil: presenter.presentMoveProgress(response: .init(counts: run.progress.snapshot))
      case .ended(let counts)?:
        present(counts, isInterrupted: false)
        return true
      case .interrupted(let counts)?:
        present(counts, isInterrupted: true)
        return false
      case .failed(let error)?: throw .library(error, .move)
      case let fact?: presenter.presentMoveNote(response: .init(fact: fact))
      }
    }
    return false
  }

  private func present(_ counts: MoveCounts, isInterrupted: Bool) {
    presenter.presentMovedLibrary(
      response: .init(place: place, counts: counts, isInterrupted: isInterrupted)
    )
  }
}
