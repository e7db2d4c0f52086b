package import Models

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
