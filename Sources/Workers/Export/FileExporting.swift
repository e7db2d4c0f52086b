package import Models

/// Exports stored originals as files with names that people can read.
package protocol FileExporting: Sendable {
  func export(_ plan: FileExportPlan) -> FileExportRun
}

/// A running export; if it is stopped, a later one continues from there.
package typealias FileExportRun = FactRun<FileExportFact, Locked<FileExportCounts>>

/// The options of an export of files.
package struct FileExportPlan: Sendable, Equatable {
  package var folder: String
  /// The query that selects the images; its order and its limits are ignored.
  package var query: ImageQuery
  package var template: NameTemplate
  /// The format of the sidecar beside each file; nil for no sidecars.
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

/// The way in which a folder is opened.
package enum FolderAccess: Sendable, Equatable {
  /// A missing folder is made.
  case making
  /// The folder must exist, with the record of an export.
  case following
  /// Nothing in the folder is changed.
  case looking
}

/// A fact about a running export of files.
package enum FileExportFact: Sendable, Equatable {
  /// A file that the export would write if it were not a dry run.
  case planned(imageID: Int64, path: String)
  case left(LeftFile)
  case ended(FileExportCounts, isInterrupted: Bool)
  case failed(SiteExportError)
}

/// A file that an export does not touch.
package struct LeftFile: Sendable, Equatable {
  package enum Reason: String, Sendable, Equatable {
    /// The file is not where the export put it.
    case moved
    /// The file has changed since the export wrote it.
    case edited
    /// Something else has the path, so the image gets another name.
    case foreign
    /// A folder in the path is a link, or not a folder; the image is left out.
    case blocked
    /// The library's own file is missing or damaged; the image is left out.
    case damaged
  }

  package var imageID: Int64
  /// The path of the file, relative to the folder.
  package var path: String
  package var reason: Reason
  /// Whether its original is a file of a folder that is followed, which is not the library's.
  package var isOfFolder: Bool

  package init(imageID: Int64, path: String, reason: Reason, isOfFolder: Bool = false) {
    self.imageID = imageID
    self.path = path
    self.reason = reason
    self.isOfFolder = isOfFolder
  }
}

/// The numbers of files that an export has written and left.
package struct FileExportCounts: Sendable, Equatable {
  /// Images that have been processed.
  package var images = 0
  /// Images with a stored original; nil until they are counted.
  package var total: Int?
  package var linked = 0
  /// Files that share their blocks with the library's.
  package var cloned = 0
  package var copied = 0
  /// The size of the copied files in bytes.
  package var copiedBytes = 0
  package var sidecars = 0
  /// Files that a person edited or moved, or that are not the export's.
  package var left = 0
  /// Images that were left out, because their original is missing or damaged, or has no place in the folder.
  package var omitted = 0
  /// Whether there was nothing to change.
  package var isUnchanged = false

  package init() {}

  package var written: Int { linked + cloned + copied }
}

/// A folder with named files that each sync updates.
package struct FollowedFolder: Sendable, Equatable {
  /// An absolute path.
  package var path: String
  /// The query that selects the images.
  package var query: ImageQuery
  package var template: NameTemplate
  package var sidecars: SidecarFormat?
  /// Whether a sync has reported that the folder is missing.
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
