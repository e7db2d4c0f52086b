package import Models

/// Writes copies of stored pictures for a user.
package protocol PictureExporting: Sendable {
  /// Copies a picture completely or not at all.
  func export(
    _ picture: ExportedPicture,
    to destination: ExportDestination
  ) throws(ExportError)
}

/// A stored picture to copy.
package enum ExportedPicture: Sendable, Equatable {
  case thumbnail([UInt8])
  case original(StoredOriginal)
}

/// The destination of a copy.
package enum ExportDestination: Sendable, Equatable {
  /// A file, which is written under a temporary name and then renamed.
  ///
  /// An existing file is kept unless it may be replaced; a pipe or a device is written to directly.
  case file(path: String, isReplacing: Bool)
  /// A file in a folder, which is made if it is missing; the file has the name of the image.
  case folder(path: String, name: String = "", isReplacing: Bool)
  case standardOutput

  /// The same destination, with a name for the image's file in a folder.
  package func named(_ name: String) -> ExportDestination {
    guard case .folder(let path, _, let isReplacing) = self else { return self }
    return .folder(path: path, name: name, isReplacing: isReplacing)
  }
}

/// The reason why a copy was not written.
package enum ExportError: Error, Sendable, Equatable {
  /// A file with this name exists, and may not be replaced.
  case exists(path: String)
  /// The path leads to something that is not a file and cannot be written to.
  case notAFile(path: String)
  /// The system refused; the text is its message.
  case unwritable(path: String, message: String)
  /// The reader of standard output has closed the pipe.
  case closed
  /// The stored picture could not be read; the text is the system's message.
  case unreadable(path: String, message: String)
  /// The picture is not as it was stored; `isSpilt` says whether a part of it has been written and cannot be withdrawn.
  case damaged(path: String, isSpilt: Bool)
}

/// Opens originals with the user's program for pictures.
package protocol PictureOpening: Sendable {
  /// Starts the program without waiting for it to end.
  ///
  /// - Throws: the reason why it was not started.
  func open(_ original: StoredOriginal) throws(OpeningError)
}

/// The reason why an original was not opened with another program.
package enum OpeningError: Error, Sendable, Equatable {
  /// The format can contain programs, which a viewer may run.
  case activeContent(ImageFormat)
  /// The program that opens files is not in any folder of `PATH`.
  case noProgram(name: String)
  /// The system refused to start the program; the text is its message.
  case cannotStart(name: String, message: String)
}
