package import Models

/// Exports a library as a static site: files that any web server can serve, and other galleries can mirror.
package protocol SiteExporting: Sendable {
  func export(_ plan: SiteExportPlan) -> SiteExportRun
}

/// A running export; if it is stopped, a later one continues from there.
package typealias SiteExportRun = FactRun<SiteExportFact, Locked<SiteExportCounts>>

/// The options of an export.
package struct SiteExportPlan: Sendable, Equatable {
  /// The folder for the site, which is made if it is missing.
  package var folder: String
  /// Whether the stored originals are part of the site.
  package var hasOriginals: Bool

  package init(folder: String, hasOriginals: Bool = true) {
    self.folder = folder
    self.hasOriginals = hasOriginals
  }
}

/// A fact about a running export.
package enum SiteExportFact: Sendable, Equatable {
  /// An original was left out of the site, because its file is not as it was stored.
  case damaged(path: String)
  case ended(SiteExportCounts, isInterrupted: Bool)
  case failed(SiteExportError)
}

/// The numbers of images and files that an export has processed.
package struct SiteExportCounts: Sendable, Equatable {
  /// Images that the site has so far.
  package var images = 0
  /// Images that the library has; nil until they are counted.
  package var total: Int?
  /// Files that are new or different.
  package var written = 0
  package var writtenBytes = 0
  /// Files that were deleted, because the site no longer has them.
  package var removed = 0
  /// Originals that were left out of the site, because they are damaged.
  package var damaged = 0
  /// Whether the site was up to date already.
  package var isUnchanged = false

  package init() {}
}

/// The reason why a library was not exported.
package enum SiteExportError: Error, Sendable, Equatable {
  /// The library cannot be read.
  case library(StoreError)
  /// The folder cannot be written.
  case folder(StoreError)
  /// A feed has the pictures of the folder, and would refuse them if they were an export.
  case followed(path: String, feed: Int64)
  /// The folder has files, and is not a site of a gallery.
  case foreign(path: String)
  /// The folder is the site of another library.
  case otherLibrary(path: String)
  /// The folder has named files where a site was asked for, or the reverse.
  case otherForm(path: String)
  /// The folder is missing, and must not be made.
  case missing(path: String)
  /// The folder is the library's own folder, inside it, or contains it.
  case overlapping(path: String)
  /// Another export is writing to the folder.
  case busy(path: String)
  /// The library changed during every attempt.
  case changing
}

/// A folder with the files of a site.
///
/// Each file is written under a temporary name and renamed, so that readers see either the old or the new version.
package protocol SiteFolder: Sendable {
  /// The note of the last export that was completed; nil before the first.
  var note: String? { get }

  /// Writes a file, unless it already has these bytes.
  ///
  /// - Returns: Whether it was written.
  /// - Throws: when it cannot be written.
  func write(_ bytes: [UInt8], to path: String) throws(SiteExportError) -> Bool

  /// Whether the folder has a file with this path, length and hash.
  ///
  /// After a completed export, the length is enough. After one that was interrupted, perhaps by a power cut, the hash is
  /// compared, too: some file systems write the length of a file before its content.
  func has(_ path: String, bytes: Int, hash: SHA256Digest) -> Bool

  /// Copies the first bytes of a file. The copy shares the file's blocks if the file system supports that.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - bytes: The number of bytes to copy.
  ///   - hash: The expected hash of these bytes.
  ///   - path: The path of the copy.
  /// - Returns: False when the bytes have another hash; nothing is written then.
  /// - Throws: when the file cannot be read, or the copy cannot be written.
  func copy(
    _ source: String,
    bytes: Int,
    hash: SHA256Digest,
    to path: String
  ) throws(SiteExportError) -> Bool

  /// Deletes the files of a folder and its subfolders, except those to keep.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - isKept: Decides by the path of each file whether to keep it.
  /// - Returns: The number of deleted files.
  /// - Throws: when a file cannot be deleted.
  func sweep(_ folder: String, keeping isKept: (String) -> Bool) throws(SiteExportError) -> Int

  /// Flushes everything that was written to the disk.
  func settle() throws(SiteExportError)

  /// Sets the note for the site's new state; nil while an export is changing it.
  func setNote(_ note: String?) throws(SiteExportError)
}
