package import Models

/// Opens folders for named files.
package protocol NamedFolderOpening: Sendable {
  /// Opens a folder for the named files of a library.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - library: The UUID of the library.
  ///   - access: The way in which the folder is opened.
  /// - Returns: The folder, locked against other exports until it is released; nil when it is missing and `access` is
  ///   `.looking`.
  /// - Throws: when it belongs to another library or to a site, or cannot be written.
  func openNamed(
    _ path: String,
    for library: String,
    _ access: FolderAccess
  ) throws(SiteExportError) -> (any NamedFolder)?
}

/// A folder with named files, which may also hold other files.
///
/// Paths are relative to it. Links are not followed, and only files in the record are replaced.
package protocol NamedFolder {
  /// The note of the last export that was completed; nil before the first.
  var note: String? { get }

  /// Sets the note for the folder's new state; nil while an export is changing it.
  func setNote(_ note: String?) throws(SiteExportError)

  /// Returns a function that reads the record; each call gives the next file, ordered by image.
  func readRecord() throws(SiteExportError) -> () throws(SiteExportError) -> ExportedFile?

  /// Adds a file to the next record; files must be added in the order of their images.
  func append(_ file: ExportedFile) throws(SiteExportError)

  /// Flushes everything to the disk, and replaces the last record with the next one.
  func finishRecord() throws(SiteExportError)

  /// The length and the time of a file, read without opening it; nil when the path does not lead to a file.
  func mark(of path: String) -> FileMark?

  /// Makes a file from an original, unless the path is already in use.
  func make(_ path: String, of original: PictureInfo) throws(SiteExportError) -> FileArrival

  /// Replaces a file with an original, if the file still has its mark.
  func replace(
    _ path: String,
    _ mark: FileMark,
    with original: PictureInfo
  ) throws(SiteExportError) -> FileArrival

  /// Writes a small file: a new one, or a replacement for a file that still has its mark.
  func write(
    _ bytes: [UInt8],
    to path: String,
    replacing mark: FileMark?
  ) throws(SiteExportError) -> FileArrival
}

/// The length and the time of a file, which are read without opening it.
package struct FileMark: Sendable, Equatable {
  package var bytes: Int
  /// When the content was last changed, in nanoseconds since 1970.
  package var changed: Int64

  package init(bytes: Int, changed: Int64) {
    self.bytes = bytes
    self.changed = changed
  }
}

/// The result of making a file.
package enum FileArrival: Sendable, Equatable {
  package enum Way: Sendable, Equatable {
    case link, clone, copy
    /// The file existed already, with this content.
    case found
  }

  case made(FileMark, Way)
  /// Something else has the path.
  case taken
  /// A folder in the path is a link, or not a folder.
  case blocked
  /// The library's file is not as it was stored.
  case damaged
}

/// A file that an export has made, as its record lists it.
package struct ExportedFile: Sendable, Equatable {
  package struct Sidecar: Sendable, Equatable {
    package var format: SidecarFormat
    package var mark: FileMark

    package init(format: SidecarFormat, mark: FileMark) {
      self.format = format
      self.mark = mark
    }
  }

  package var imageID: Int64
  /// The number of the image's last change when the file was made.
  package var number: Int64
  /// The first 64 bits of the original's hash.
  package var hash: UInt64
  package var path: String
  package var mark: FileMark
  package var sidecar: Sidecar?

  package init(
    imageID: Int64,
    number: Int64,
    hash: UInt64,
    path: String,
    mark: FileMark,
    sidecar: Sidecar? = nil
  ) {
    self.imageID = imageID
    self.number = number
    self.hash = hash
    self.path = path
    self.mark = mark
    self.sidecar = sidecar
  }
}

/// The formats of a sidecar; the raw value is also the file name's extension.
package enum SidecarFormat: String, Sendable, CaseIterable {
  case json
  case xmp

  package func path(beside file: String) -> String { "\(file).\(rawValue)" }
}

/// Writes the metadata of an image as a file for other programs.
package protocol SidecarMaking: Sendable {
  func sidecar(of image: NamedImage, _ format: SidecarFormat) -> [UInt8]
}
