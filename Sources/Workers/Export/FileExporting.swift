package import Models

/// Exports stored originals as files with names that people can read.
package protocol FileExporting: Sendable {
  func export(_ plan: FileExportPlan) -> FileExportRun
}

/// An export that is under way; a later one goes on from where it is stopped.
package typealias FileExportRun = FactRun<FileExportFact, Locked<FileExportCounts>>

/// What an export of files is asked to do.
package struct FileExportPlan: Sendable, Equatable {
  package var folder: String
  /// Which images; its order and its limits count for nothing.
  package var query: ImageQuery
  package var template: NameTemplate
  /// What is written beside each file; nil for nothing.
  package var sidecars: SidecarFormat?
  package var access: FolderAccess

  package init(
    folder: String,
    query: ImageQuery = ImageQuery(),
    template: NameTemplate,
    sidecars: SidecarFormat? = nil,
    access: FolderAccess = .making
  ) {
    self.folder = folder
    self.query = query
    self.template = template
    self.sidecars = sidecars
    self.access = access
  }
}

/// How a folder is opened.
package enum FolderAccess: Sendable, Equatable {
  /// It is made when it is missing.
  case making
  /// It has to be there, with the record of an export.
  case following
  /// Nothing in it is changed.
  case looking
}

/// What becomes of an export of files.
package enum FileExportFact: Sendable, Equatable {
  /// A file that a run in earnest would write.
  case planned(imageID: Int64, path: String)
  case left(LeftFile)
  case ended(FileExportCounts, isInterrupted: Bool)
  case failed(SiteExportError)
}

/// A file that an export does not touch.
package struct LeftFile: Sendable, Equatable {
  package enum Reason: String, Sendable, Equatable {
    /// It is not where the export put it.
    case moved
    /// It is not as the export wrote it.
    case edited
    /// It is not the export's: the image gets another name.
    case foreign
    /// A folder of it is a link, or no folder: the image is left out.
    case blocked
    /// The library's own file is missing or has another length: the image is left out.
    case damaged
  }

  package var imageID: Int64
  /// Below the folder.
  package var path: String
  package var reason: Reason

  package init(imageID: Int64, path: String, reason: Reason) {
    self.imageID = imageID
    self.path = path
    self.reason = reason
  }
}

/// What an export of files has done.
package struct FileExportCounts: Sendable, Equatable {
  /// Images that have been looked at.
  package var images = 0
  /// Images of which an original is stored; nil until they are counted.
  package var total: Int?
  package var linked = 0
  /// Files that share their blocks with the library's.
  package var cloned = 0
  package var copied = 0
  /// The bytes of those that were copied.
  package var copiedBytes = 0
  package var sidecars = 0
  /// Files that a person edited or moved, or that are not the export's.
  package var left = 0
  /// Originals that are missing or damaged, or have no place in the folder.
  package var omitted = 0
  /// Whether everything was as it should be already.
  package var isUnchanged = false

  package init() {}

  package var written: Int { linked + cloned + copied }
}

/// A folder with named files that each sync brings up to date.
package struct FollowedFolder: Sendable, Equatable {
  /// An absolute path.
  package var path: String
  /// Which images.
  package var query: ImageQuery
  package var template: NameTemplate
  package var sidecars: SidecarFormat?
  /// Whether a sync has said that it is not there.
  package var isMissing: Bool

  package init(
    path: String,
    query: ImageQuery,
    template: NameTemplate,
    sidecars: SidecarFormat?,
    isMissing: Bool = false
  ) {
    self.path = path
    self.query = query
    self.template = template
    self.sidecars = sidecars
    self.isMissing = isMissing
  }
}
