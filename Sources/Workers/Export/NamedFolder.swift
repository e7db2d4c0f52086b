package import Models

/// Opens folders for files with names.
package protocol NamedFolderOpening: Sendable {
  /// Opens a folder for the files of a library.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - library: The UUID of the library.
  ///   - access: What may be done there.
  /// - Returns: The folder, which no other export has until this one is released; nil when it is missing and only looked
  ///   at.
  /// - Throws: when it is another library's or a site, or cannot be written.
  func openNamed(
    _ path: String,
    for library: String,
    _ access: FolderAccess
  ) throws(SiteExportError) -> (any NamedFolder)?
}

/// A folder with files that are stored originals, beside any others.
///
/// Paths are below it. No link is followed, and nothing is replaced that the record does not name.
package protocol NamedFolder {
  /// The note of the last export that was completed; nil before the first.
  var note: String? { get }

  /// Notes the state that the folder has; nil while it is between two.
  func setNote(_ note: String?) throws(SiteExportError)

  /// Gives the record's files, one with each call, by image.
  func readRecord() throws(SiteExportError) -> () throws(SiteExportError) -> ExportedFile?

  /// Adds a file to the next record; they come by image.
  func append(_ file: ExportedFile) throws(SiteExportError)

  /// Brings everything to the disk, and the next record into the place of the last.
  func finishRecord() throws(SiteExportError)

  /// What is seen of a file without opening it; nil when it is no file.
  func mark(of path: String) -> FileMark?

  /// Makes a file of an original, unless something has its name.
  func make(_ path: String, of original: PictureInfo) throws(SiteExportError) -> FileArrival

  /// Puts an original in the place of a file that is as it is marked.
  func replace(
    _ path: String,
    _ mark: FileMark,
    with original: PictureInfo
  ) throws(SiteExportError) -> FileArrival

  /// Writes a small file: a new one, or in the place of one that is as it is marked.
  func write(
    _ bytes: [UInt8],
    to path: String,
    replacing mark: FileMark?
  ) throws(SiteExportError) -> FileArrival
}

/// What is seen of a file without opening it.
package struct FileMark: Sendable, Equatable {
  package var bytes: Int
  /// When its content was last changed, in nanoseconds since 1970.
  package var changed: Int64

  package init(bytes: Int, changed: Int64) {
    self.bytes = bytes
    self.changed = changed
  }
}

/// What came of making a file.
package enum FileArrival: Sendable, Equatable {
  package enum Way: Sendable, Equatable {
    case link, clone, copy
    /// It was there, with this content.
    case found
  }

  case made(FileMark, Way)
  /// Something else has the name.
  case taken
  /// A folder of the path is a link, or no folder.
  case blocked
  /// The library's file is not what was stored.
  case damaged
}

/// A file that an export has made, for its record.
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
  /// The number of the image's last change then.
  package var number: Int64
  /// The beginning of the original's hash.
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

/// The forms of a sidecar; the raw value is its ending, too.
package enum SidecarFormat: String, Sendable, CaseIterable {
  case json
  case xmp

  package func path(beside file: String) -> String { "\(file).\(rawValue)" }
}

/// Writes what is known of an image, for other programs.
package protocol SidecarMaking: Sendable {
  func sidecar(of image: NamedImage, _ format: SidecarFormat) -> [UInt8]
}
