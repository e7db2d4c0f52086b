package import Models

/// Writes copies of stored pictures for a user.
package protocol PictureExporting: Sendable {
  /// Copies a picture, whole or not at all.
  func export(
    _ picture: ExportedPicture,
    to destination: ExportDestination
  ) throws(ExportError)
}

/// A stored picture that is to be copied.
package enum ExportedPicture: Sendable, Equatable {
  case thumbnail([UInt8])
  case original(StoredOriginal)
}

/// The destination of a copy.
package enum ExportDestination: Sendable, Equatable {
  /// A file, which is written under another name and renamed. A file that exists is kept unless it
  /// may be replaced; a pipe or a device is written to.
  case file(path: String, isReplacing: Bool)
  /// A file in a folder, which is made when it is missing; the name is that of the image.
  case folder(path: String, name: String = "", isReplacing: Bool)
  case standardOutput

  /// The same with the name of an image's file.
  package func named(_ name: String) -> ExportDestination {
    guard case .folder(let path, _, let isReplacing) = self else { return self }
    return .folder(path: path, name: name, isReplacing: isReplacing)
  }
}

/// The reason why a copy could not be written.
package enum ExportError: Error, Sendable, Equatable {
  /// There is a file with this name, which may not be replaced.
  case exists(path: String)
  /// The path leads to something that is not a file and takes no bytes.
  case notAFile(path: String)
  /// The system refused, in its own words.
  case unwritable(path: String, message: String)
  /// The reader of standard output has closed it.
  case closed
  /// The stored picture could not be read, in the system's own words.
  case unreadable(path: String, message: String)
  /// The picture is not as it was stored; `isSpilt` says whether a part of it was written and
  /// cannot be taken back.
  case damaged(path: String, isSpilt: Bool)
}

/// Opens originals with the user's program for pictures.
package protocol PictureOpening: Sendable {
  /// Starts the program, and does not wait for it.
  ///
  /// - Throws: the reason why it was not started.
  func open(_ original: StoredOriginal) throws(OpeningError)
}

/// The reason why an original was not opened with another program.
package enum OpeningError: Error, Sendable, Equatable {
  /// A format that can contain programs, which a viewer may run.
  case activeContent(ImageFormat)
  /// The program that opens files is in no folder of `PATH`.
  case noProgram(name: String)
  /// The system refused to start it, in its own words.
  case cannotStart(name: String, message: String)
}
