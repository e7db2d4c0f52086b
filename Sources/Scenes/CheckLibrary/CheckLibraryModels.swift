import FoundationEssentials
package import Models
package import Workers

/// The models of the scene that describes, checks, repairs and cleans the library.
package enum CheckLibrary {
  /// Tells how things stand: the feeds, and how much is stored.
  package enum DescribeLibrary {
    package struct Response: Equatable {
      package var feeds: [Feed]
      package var figures: LibraryFigures

      /// When a program that keeps running asks for the first of the feeds; nil before any was asked.
      var nextSync: Date? { feeds.filter(\.isWatched).compactMap(\.dueBesideHub).min() }

      /// When the first of the leases ends by which hubs tell of changes; nil without any.
      var leaseEnd: Date? { feeds.compactMap(\.leaseEnd).min() }

      /// How many feeds hubs tell of.
      var pushedFeeds: Int { feeds.count { $0.leaseEnd != nil } }
    }

    package struct ViewModel: Equatable {
      package var fields: [DescriptionField]
    }
  }

  /// Tells which processes use the library.
  package enum DescribeNodes {
    package struct Response: Equatable {
      package var nodes: [Node]
    }

    package struct ViewModel: Equatable {
      /// One for each process; a sentence when there is none.
      package var lines: [String]
    }
  }

  /// Finds out whether all stored data is unchanged.
  package enum VerifyLibrary {
    package struct Request: Sendable {
      package var plan: VerificationPlan
      /// Ends it early; the next verification goes on from there.
      package var stop: StopRequest

      package init(plan: VerificationPlan = VerificationPlan(), stop: StopRequest) {
        self.plan = plan
        self.stop = stop
      }
    }

    /// How far it is, several times a second.
    package enum Progress {
      package struct Response: Equatable {
        package var counts: VerificationCounts
      }
    }

    /// A finding, or the result of a repair.
    package enum Note {
      package struct Response: Equatable {
        package var fact: CheckFact
      }
    }

    package enum Ended {
      package struct Response: Equatable {
        package var counts: VerificationCounts
        package var isInterrupted: Bool
        /// Whether the request was to repair damage.
        package var isRepairing = false
      }
    }
  }

  /// Deletes data that nothing refers to.
  package enum CleanLibrary {
    package struct Request: Sendable {
      package var plan: CleaningPlan

      package init(_ plan: CleaningPlan = CleaningPlan()) { self.plan = plan }
    }

    package struct Response: Equatable {
      package var cleaned: CleanedLibrary
      package var plan: CleaningPlan
    }

    package struct ViewModel: Equatable {
      package var text: HintedText
    }
  }
}
