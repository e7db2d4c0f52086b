package import Workers

/// The models of the scene that looks after what is stored.
package enum CheckLibrary {
  /// Finds out whether what is stored is still what was stored.
  package enum VerifyLibrary {
    package struct Request: Sendable {
      /// Whether what is damaged is fetched or made again.
      package var isRepairing: Bool
      /// Whether it starts from the beginning, not where an earlier one was interrupted.
      package var restarts: Bool
      /// Ends it early; the next one goes on from there.
      package var stop: StopRequest

      package init(isRepairing: Bool = false, restarts: Bool = false, stop: StopRequest) {
        self.isRepairing = isRepairing
        self.restarts = restarts
        self.stop = stop
      }
    }

    package enum Started {
      package struct Response {
        package var progress: VerificationProgress
      }

      package struct ViewModel {
        /// The progress at the moment of the call, for a display to sample.
        package var sample: @Sendable () -> ProgressLine
      }
    }

    /// One thing that was found, or done about it.
    package enum Note {
      package struct Response: Equatable {
        package var fact: CheckFact
      }

      package struct ViewModel: Equatable {
        package var text: String
      }

      package struct RecordViewModel: Equatable {
        package var record: CheckRecord
      }
    }

    package enum Ended {
      package struct Response: Equatable {
        package var counts: VerificationCounts
        package var isInterrupted: Bool
        /// Whether what was damaged was to be made right again.
        package var isRepairing = false
      }

      package struct ViewModel: Equatable {
        package var text: String
        package var outcome: Outcome
      }

      package struct RecordViewModel: Equatable {
        package var record: VerificationRecord
        package var outcome: Outcome
      }
    }
  }

  /// Takes away what nothing refers to.
  package enum CleanLibrary {
    package struct Request: Sendable {
      /// How it is cleaned.
      package var plan: CleaningPlan

      package init(_ plan: CleaningPlan = CleaningPlan()) { self.plan = plan }
    }

    package struct Response: Equatable {
      package var cleaned: CleanedLibrary
      package var plan: CleaningPlan
    }

    package struct ViewModel: Equatable {
      package var text: String
    }

    package struct RecordViewModel: Equatable {
      package var record: CleaningRecord
    }
  }

  /// Tells why a request came to nothing.
  package enum Fail {
    package struct Response: Equatable {
      package var failure: RequestFailure
    }

    package struct ViewModel: Equatable {
      package var message: String
      package var outcome: Outcome
    }
  }
}
