import Models
package import Workers

/// The requests of the scene.
package protocol CheckLibraryBusinessLogic {
  func describeLibrary() async
  func describeNodes() async
  func verifyLibrary(request: CheckLibrary.VerifyLibrary.Request) async
  func cleanLibrary(request: CheckLibrary.CleanLibrary.Request) async
}

/// Describes, checks, repairs and cleans the library.
package struct CheckLibraryInteractor: CheckLibraryBusinessLogic {
  private let presenter: any CheckLibraryPresentationLogic
  private let library: any LibraryReading
  private let verifier: any LibraryVerifying
  private let cleaner: any LibraryCleaning
  private let pauses: (any HostPausing)?
  private let place: Place?
  private let remedies: @Sendable () -> CheckLibrary.DatabaseRemedies
  private let pause: Pause

  /// The name of the library's place, and whether the library there is a backup.
  package typealias Place = (name: String, isBackup: @Sendable () async -> Bool)

  /// Creates the interactor.
  ///
  /// `remedies` says what helps if the database is damaged, and `pause` waits between two presentations of the progress.
  package init(
    presenter: any CheckLibraryPresentationLogic,
    library: any LibraryReading,
    verifier: any LibraryVerifying,
    cleaner: any LibraryCleaning,
    pauses: (any HostPausing)? = nil,
    place: Place? = nil,
    remedies: @escaping @Sendable () -> CheckLibrary.DatabaseRemedies = { .init() },
    pause: @escaping Pause = tenthOfASecond
  ) {
    self.presenter = presenter
    self.library = library
    self.verifier = verifier
    self.cleaner = cleaner
    self.pauses = pauses
    self.place = place
    self.remedies = remedies
    self.pause = pause
  }

  package func describeLibrary() async {
    do throws(StoreError) {
      let feeds = try await library.feeds()
      let figures = try await library.figures()
      let pauses = try pauses?.pauses(of: feeds.map(\.address)) ?? []
      presenter.presentDescribedLibrary(
        response: .init(feeds: feeds, figures: figures, pauses: pauses)
      )
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .list)))
    }
  }

  package func describeNodes() async {
    do throws(StoreError) {
      presenter.presentDescribedNodes(response: .init(nodes: try await library.nodes()))
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .list)))
    }
  }

  package func verifyLibrary(request: CheckLibrary.VerifyLibrary.Request) async {
    do throws(RequestFailure) {
      // Without this check, the verifier would create a missing library, and so would the cleaner.
      _ = try await library.feeds(for: .verify)
      let backup = await place?.isBackup() == true ? place?.name : nil
      let inFolders = await picturesInFolders()
      var damage = CheckLibrary.DatabaseDamage()
      try await presenter.follow(verifier.verify(request.plan), stop: request.stop, pause) { fact in
        damage.note(fact)
        guard case .ended(let counts, let isInterrupted) = fact else {
          return .note(.init(fact: fact))
        }
        var end = CheckLibrary.VerifyLibrary.Ended.Response(
          counts: counts,
          isInterrupted: isInterrupted,
          isRepairing: request.plan.isRepairing,
          backup: backup,
          inFolders: inFolders
        )
        if damage != CheckLibrary.DatabaseDamage() {
          damage.remedies = remedies()
          end.database = damage
        }
        return .end(end)
      }
    } catch {
      presenter.presentFailure(response: .init(failure: explained(error)))
    }
  }

  /// The pictures that stay in folders; 0 if a damaged database does not say.
  private func picturesInFolders() async -> Int {
    do {
      return try await library.figures().originalsInPlace
    } catch {
      return 0
    }
  }

  /// Names the backup of a library whose database cannot be read.
  private func explained(_ failure: RequestFailure) -> RequestFailure {
    guard case .library(let error, .verify) = failure, error.reason == .unreadable,
      let backup = remedies().backup
    else { return failure }
    return .damagedLibrary(error, .verify, backup: backup)
  }

  package func cleanLibrary(request: CheckLibrary.CleanLibrary.Request) async {
    do throws(RequestFailure) {
      _ = try await library.feeds(for: .clean)
      let cleaned = try await clean(request.plan)
      presenter.presentCleanedLibrary(response: .init(cleaned: cleaned, plan: request.plan))
    } catch {
      presenter.presentFailure(response: .init(failure: error))
    }
  }

  private func clean(_ plan: CleaningPlan) async throws(RequestFailure) -> CleanedLibrary {
    do {
      return try await cleaner.clean(plan)
    } catch {
      throw .library(error, .clean)
    }
  }
}

extension CheckLibrary.DatabaseDamage {
  /// Takes in what a fact of a verification says about the database.
  fileprivate mutating func note(_ fact: CheckFact) {
    switch fact {
    case .found(let finding):
      guard case .database = finding.thing else { return }
      switch finding.condition {
      case .damaged: faults += 1
      case .unreadable(let error) where error.isDamage: isBeyondRepair = true
      case .missing, .stray, .unreadable: break
      }
    case .notRepaired(.database, .store(let error)) where error.isDamage: isBeyondRepair = true
    case .repaired(.database): self = Self()
    case .resumed, .repaired, .notRepaired, .ended: break
    }
  }
}

extension StoreError {
  /// Whether the database is damaged.
  fileprivate var isDamage: Bool { [.unreadable, .unsound].contains(reason) }
}
