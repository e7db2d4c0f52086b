import FoundationEssentials
package import Models
package import Workers

/// The models of the scene that describes, checks, repairs and cleans the library.
package enum CheckLibrary {
  /// Describes the state of the library: its feeds, and how much is stored.
  package enum DescribeLibrary {
    package struct Response: Equatable {
      package var feeds: [Feed]
      package var figures: LibraryFigures
      /// The hosts of feeds that asked for a pause.
      package var pauses: [HostPause] = []

      /// When a program that keeps running asks for the next feed; nil when no feed has a due time.
      var nextSync: Date? { feeds.filter(\.isWatched).compactMap(\.dueBesideHub).min() }

      /// The earliest end of a hub's lease; nil without leases.
      var leaseEnd: Date? { feeds.compactMap(\.leaseEnd).min() }

      /// The number of feeds that have a lease with a hub.
      var pushedFeeds: Int { feeds.count { $0.leaseEnd != nil } }
    }

    package struct ViewModel: Equatable {
      package var fields: [DescriptionField]
    }
  }

  /// Lists the processes that use the library.
  package enum DescribeNodes {
    package struct Response: Equatable {
      package var nodes: [Node]
    }

    package struct ViewModel: Equatable {
      /// One for each process, or a sentence when no process is known.
      package var lines: [String]
    }
  }

  /// Finds out whether all stored data is unchanged.
  package enum VerifyLibrary {
    package struct Request: Sendable {
      package var plan: VerificationPlan
      /// Ends the verification early; the next one continues from there.
      package var stop: StopRequest

      package init(plan: VerificationPlan = VerificationPlan(), stop: StopRequest) {
        self.plan = plan
        self.stop = stop
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
        /// The place of the library if it is a backup, which its own library repairs; nil for any other library.
        package var backup: String?
        /// The pictures that stay in the folders that are feeds, and are not read.
        package var inFolders = 0
        /// The damage to the database; nil without any.
        package var database: DatabaseDamage?
      }
    }
  }

  /// Damage to the database of a library, with what helps if a repair does not.
  package struct DatabaseDamage: Equatable {
    /// The faults that were found, which count as damaged things.
    package var faults = 0
    /// Whether a repair failed, or cannot even begin.
    package var isBeyondRepair = false
    package var remedies = DatabaseRemedies()
  }

  /// What helps a library whose database is damaged beyond repair.
  package struct DatabaseRemedies: Sendable, Equatable {
    /// Its folder, from which a new library can be made; nil for one in a database server.
    package var folder: String?
    /// The folder of its newest backup; nil if none is noted.
    package var backup: String?

    package init(folder: String? = nil, backup: String? = nil) {
      (self.folder, self.backup) = (folder, backup)
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
