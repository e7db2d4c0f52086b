package import Workers

/// The models of the scene that exports originals as named files.
package enum ExportFiles {
  /// Brings the files of a folder up to date.
  package enum Export {
    package struct Follow: Sendable, Equatable {
      package var isWanted: Bool
      /// The absolute path of the folder.
      package var path: String

      package init(isWanted: Bool, path: String) {
        self.isWanted = isWanted
        self.path = path
      }
    }

    package struct Request: Sendable {
      package var folder: String
      /// The folder, as a feed could have it.
      package var place: FeedName?
      /// Only images of this feed; nil for all.
      package var feed: FeedArgument?
      /// Only images with these words; nil for all.
      package var search: String?
      package var template: NameTemplate
      package var sidecars: SidecarFormat?
      package var isDryRun: Bool
      /// Whether each sync exports to the folder from now on; nil for no change.
      package var follow: Follow?
      /// Ends the export early; the next one continues from there.
      package var stop: StopRequest

      package init(
        folder: String,
        place: FeedName? = nil,
        feed: FeedArgument? = nil,
        search: String? = nil,
        template: NameTemplate,
        sidecars: SidecarFormat? = nil,
        isDryRun: Bool = false,
        follow: Follow? = nil,
        stop: StopRequest
      ) {
        self.folder = folder
        self.place = place
        self.feed = feed
        self.search = search
        self.template = template
        self.sidecars = sidecars
        self.isDryRun = isDryRun
        self.follow = follow
        self.stop = stop
      }
    }

    package enum Note {
      package enum Response: Equatable {
        /// A file that a run without `isDryRun` would write.
        case planned(imageID: Int64, path: String)
        case left(Left)
      }

      /// A file that the export does not touch, with the reason.
      package struct Left: Equatable {
        package var folder: String
        package var file: LeftFile
        /// The number of this file among the untouched ones, from 1.
        package var number: Int
      }
    }

    package enum Ended {
      package struct Response: Equatable {
        package var folder: String
        package var counts: FileExportCounts
        package var isInterrupted: Bool
        package var isDryRun: Bool
        /// Whether each sync exports to the folder from now on; nil for no change.
        package var isFollowed: Bool?
        /// Whether the names have endings, by which other programs know what the files are.
        package var hasEndings = true
      }
    }
  }

  /// Lists the fields that a template may contain.
  package enum ListFields {
    package struct Response: Equatable {
      package var fields: [NameField]
    }

    package struct ViewModel: Equatable {
      /// Each field with its meaning.
      package var fields: [DescriptionField]
    }
  }
}
