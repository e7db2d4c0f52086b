package import Models

/// Exports a library as a static site: files that any web server can serve, and other galleries can mirror.
package protocol SiteExporting: Sendable {
  func export(_ plan: SiteExportPlan) -> SiteExportRun
}

/// An export that is under way; a later one goes on from where it is stopped.
package typealias SiteExportRun = FactRun<SiteExportFact, Locked<SiteExportCounts>>

/// What an export is asked to do.
package struct SiteExportPlan: Sendable, Equatable {
  /// The folder for the site, which is made when it is missing.
  package var folder: String
  /// Whether the stored originals are part of the site.
  package var hasOriginals: Bool

  package init(folder: String, hasOriginals: Bool = true) {
    self.folder = folder
    self.hasOriginals = hasOriginals
  }
}

/// What becomes of an export.
package enum SiteExportFact: Sendable, Equatable {
  /// An original is not part of the site, because its file is not what was stored.
  case damaged(path: String)
  case ended(SiteExportCounts, isInterrupted: Bool)
  case failed(SiteExportError)
}

/// What an export has done.
package struct SiteExportCounts: Sendable, Equatable {
  /// Images of the site so far.
  package var images = 0
  /// Images of the library; nil until they are counted.
  package var total: Int?
  /// Files that are new or different.
  package var written = 0
  package var writtenBytes = 0
  /// Files that were not part of the site any more.
  package var removed = 0
  /// Originals that are not part of the site, because they are damaged.
  package var damaged = 0
  /// Whether the site is as the library was already.
  package var isUnchanged = false

  package init() {}
}

/// Why a library was not exported.
package enum SiteExportError: Error, Sendable, Equatable {
  /// The library cannot be read.
  case library(StoreError)
  /// The folder cannot be written.
  case folder(StoreError)
  /// The folder has files, and is no site of a gallery.
  case foreign(path: String)
  /// The folder is the site of another library.
  case otherLibrary(path: String)
  /// The folder has named files, and a site was asked for, or the reverse.
  case otherForm(path: String)
  /// There is no folder, and none is to be made.
  case missing(path: String)
  /// The folder is the library's own, in it, or around it.
  case overlapping(path: String)
  /// Another export writes to the folder.
  case busy(path: String)
  /// The library changed during each of some attempts.
  case changing
}

/// Opens folders for sites.
package protocol SiteWriting: Sendable {
  /// Opens a folder for the site of a library, and makes it when it is missing.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - library: The UUID of the library.
  /// - Returns: The folder, which no other export has until this one is released.
  /// - Throws: when it has files of others, or cannot be written.
  func open(_ path: String, for library: String) throws(SiteExportError) -> any SiteFolder
}

/// A folder with the files of a site.
///
/// A file is written under another name and renamed, so that readers see the old one or the new one.
package protocol SiteFolder: Sendable {
  /// The note of the last export that was completed; nil before the first.
  var note: String? { get }

  /// Writes a file, unless it has these bytes already.
  ///
  /// - Returns: Whether it was written.
  /// - Throws: when it cannot be written.
  func write(_ bytes: [UInt8], to path: String) throws(SiteExportError) -> Bool

  /// Whether there is a file of a length, which its name stands for.
  func has(_ path: String, bytes: Int) -> Bool

  /// Copies the beginning of a file, whose blocks the two share where the file system can do that.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - bytes: How many bytes of it.
  ///   - hash: The hash of these.
  ///   - path: The name of the copy.
  /// - Returns: False when the bytes have another hash; then nothing is written.
  /// - Throws: when it cannot be read or written.
  func copy(
    _ source: String,
    bytes: Int,
    hash: SHA256Digest,
    to path: String
  ) throws(SiteExportError) -> Bool

  /// Deletes the files of a folder, and of its folders, that are not to be kept.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - isKept: Gets the path of each file.
  /// - Returns: How many files were deleted.
  /// - Throws: when one of them cannot be deleted.
  func sweep(_ folder: String, keeping isKept: (String) -> Bool) throws(SiteExportError) -> Int

  /// Brings all that was written to the disk.
  func settle() throws(SiteExportError)

  /// Notes the state that the site has; nil while it is between two.
  func setNote(_ note: String?) throws(SiteExportError)
}
