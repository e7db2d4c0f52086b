package import Workers

/// The models of the scene that copies the library to another place.
package enum MoveLibrary {
  package enum Move {
    package struct Request: Sendable {
      /// Ends the copy early; the next one continues from there.
      package var stop: StopRequest

      package init(stop: StopRequest) { self.stop = stop }
    }

    /// The progress, several times a second.
    package enum Progress {
      package struct Response: Equatable {
        package var counts: MoveCounts
      }
    }

    /// A picture that cannot be copied.
    package enum Note {
      package struct Response: Equatable {
        package var fact: MoveFact
      }
    }

    package enum Ended {
      package struct Response: Equatable {
        /// The name of the target.
        package var place: String
        package var counts: MoveCounts
        package var isInterrupted: Bool

        var outcome: Outcome { isInterrupted || counts.missing > 0 ? .partly : .done }
      }
    }
  }
}
