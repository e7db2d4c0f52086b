package import Workers

/// The models of the scene that exports the library.
package enum ExportLibrary {
  /// Makes a static site of it.
  package enum ExportSite {
    package struct Request: Sendable {
      package var plan: SiteExportPlan
      /// Ends it early; the next export goes on from there.
      package var stop: StopRequest

      package init(_ plan: SiteExportPlan, stop: StopRequest) {
        self.plan = plan
        self.stop = stop
      }
    }

    /// How far it is, several times a second.
    package enum Progress {
      package struct Response: Equatable {
        package var counts: SiteExportCounts
      }
    }

    /// An original that is left out.
    package enum Damaged {
      package struct Response: Equatable {
        package var path: String
      }
    }

    package enum Ended {
      package struct Response: Equatable {
        package var folder: String
        package var counts: SiteExportCounts
        package var isInterrupted: Bool
      }
    }
  }
}
