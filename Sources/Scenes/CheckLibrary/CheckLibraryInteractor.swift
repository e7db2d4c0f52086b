package import Workers

/// What can be asked of the scene.
package protocol CheckLibraryBusinessLogic {
  func verifyLibrary(request: CheckLibrary.VerifyLibrary.Request) async
  func cleanLibrary(request: CheckLibrary.CleanLibrary.Request)
}

/// What the scene holds.
package protocol CheckLibraryDataStore {
  /// What the verification presented last has found.
  var findings: [CheckFinding] { get }
}

/// Looks after what is stored: verifies it, repairs it, and deletes what nothing refers to.
package final class CheckLibraryInteractor: CheckLibraryBusinessLogic, CheckLibraryDataStore {
  /// The most findings that are held: a library that was lost as a whole has millions.
  static let findingLimit = 1_000

  package private(set) var findings: [CheckFinding] = []
  private let presenter: any CheckLibraryPresentationLogic
  private let library: any LibraryReading
  private let verifier: any LibraryVerifying
  private let cleaner: any LibraryCleaning

  package init(
    presenter: any CheckLibraryPresentationLogic,
    library: any LibraryReading,
    verifier: any LibraryVerifying,
    cleaner: any LibraryCleaning
  ) {
    self.presenter = presenter
    self.library = library
    self.verifier = verifier
    self.cleaner = cleaner
  }

  package func verifyLibrary(request: CheckLibrary.VerifyLibrary.Request) async {
    do throws(StoreError) {
      try checkLibrary()
      let plan = VerificationPlan(
        isRepairing: request.isRepairing,
        restarts: request.restarts
      )
      await follow(verifier.verify(plan), plan, stop: request.stop)
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .verify)))
    }
  }

  package func cleanLibrary(request: CheckLibrary.CleanLibrary.Request) {
    do throws(StoreError) {
      try checkLibrary()
      let cleaned = try cleaner.clean(request.plan)
      presenter.presentCleanedLibrary(response: .init(cleaned: cleaned, plan: request.plan))
    } catch {
      presenter.presentFailure(response: .init(failure: .library(error, .clean)))
    }
  }

  /// Asks the reader first: looking after a library must not make one.
  private func checkLibrary() throws(StoreError) { _ = try library.feeds() }

  /// Tells all that a verification says, to its end: that is what makes its summary true.
  private func follow(
    _ run: VerificationRun,
    _ plan: VerificationPlan,
    stop: StopRequest
  ) async {
    findings = []
    stop.whenMade { run.stop() }
    presenter.presentStartedVerification(response: .init(progress: run.progress))
    for await fact in run.facts {
      switch fact {
      case .ended(let counts, let isInterrupted):
        presenter.presentEndedVerification(
          response: .init(
            counts: counts,
            isInterrupted: isInterrupted,
            isRepairing: plan.isRepairing
          )
        )
      case .found(let finding):
        if findings.count < Self.findingLimit { findings.append(finding) }
        presenter.presentVerificationNote(response: .init(fact: fact))
      case .resumed, .repaired, .notRepaired:
        presenter.presentVerificationNote(response: .init(fact: fact))
      }
    }
  }
}
