package import FoundationEssentials
package import Models

/// Lists and reads the pictures of a folder that is a feed.
///
/// It never writes there, and follows no link in it.
package protocol PictureFolderReading: Sendable {
  /// Lists the pictures in a folder and below it by their names, without opening them.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - explains: Whether the files and folders that are left out are listed, too.
  /// - Returns: Its pictures.
  /// - Throws: when the folder is missing or must not be read.
  func contents(
    of folder: WebAddress,
    explains: Bool
  ) async throws(NetworkError) -> FolderContents

  /// The address under which a folder is followed, or would be.
  ///
  /// - Parameters:
  ///   - folder: The folder, as the user has named it.
  ///   - known: The folders that are followed.
  /// - Returns: The known folder that is the same one by another path, such as a link or one with `..`; else its own
  ///   address without needless parts.
  func place(of folder: WebAddress, among known: [WebAddress]) async -> WebAddress

  /// Reads a whole file.
  func read(_ file: FolderFile, in folder: WebAddress) async -> FolderFileContent

  /// Opens the file of an original for a decoder; nil unless it has the original's content.
  func picture(of original: FolderOriginal, in folder: WebAddress) async -> PictureSource?
}

/// Watches folders that are feeds, so that they need not be listed to find that nothing has changed.
package protocol FolderWatching: Sendable {
  /// Watches a folder and those below it, unless it is watched already.
  ///
  /// It may take as long as the disk or network drive needs.
  func watch(_ folder: WebAddress) async -> FolderWatchStatus

  /// Does not watch a folder any more.
  func unwatch(_ folder: WebAddress)
}

/// Whether a folder is watched.
package enum FolderWatchStatus: Sendable, Equatable {
  /// `isNew` says that changes before now are unknown, so that it has to be listed.
  case watched(isNew: Bool)
  /// There is no folder, or it must not be read.
  case missing
  case unwatched(FolderWatchProblem)
}

/// The reason why a folder cannot be watched.
package enum FolderWatchProblem: Error, Equatable {
  /// A limit of the system, by its name (sysctl(8)).
  case limit(String)
  /// A file system that does not tell of each change, by its name.
  case fileSystem(String)
  /// Any other reason, in the words of the system.
  case system(String)
}

/// The pictures of a folder, by their names.
package struct FolderContents: Sendable, Equatable {
  /// The files, those that were written last first.
  package var files: [FolderFile]
  /// What was left out.
  package var flaws: [DocumentFlaw]
  /// The files and folders that were left out, with the reasons, by their paths in the folder.
  package var passed: [EntryExplanation.Passed]
  /// The numbers of files that were left out, as far as their names tell.
  package var leftOut = LeftOutFiles()

  package init(
    files: [FolderFile],
    flaws: [DocumentFlaw] = [],
    passed: [EntryExplanation.Passed] = []
  ) {
    self.files = files
    self.flaws = flaws
    self.passed = passed
  }
}

/// The numbers of files of a folder that a person may take for its pictures, and that are left out.
package struct LeftOutFiles: Sendable, Equatable {
  /// Links with the name of a picture.
  package var links = 0
  /// Files with the name of a camera's raw data.
  package var raw = 0
  /// Files with the name of a picture and without a picture in them, such as empty ones.
  package var notPictures = 0

  package init(links: Int = 0, raw: Int = 0, notPictures: Int = 0) {
    (self.links, self.raw, self.notPictures) = (links, raw, notPictures)
  }

  package var isOne: Bool { links + raw + notPictures == 1 }
}

/// A file of a folder whose name is that of a picture.
package struct FolderFile: Sendable, Equatable {
  package var address: WebAddress
  /// Its path in the folder.
  package var path: String
  /// The length, the inode number and the time of the last change, which tell whether to read it again.
  package var version: String
  /// The length in bytes.
  package var bytes: Int
  /// When its content was last changed, in whole seconds.
  package var modified: Date

  package init(address: WebAddress, path: String, version: String, bytes: Int, modified: Date) {
    self.address = address
    self.path = path
    self.version = version
    self.bytes = bytes
    self.modified = modified
  }

  /// Its name without the extension.
  package var title: String? {
    let name = path.split(separator: "/").last ?? ""
    let end = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
    let words = name[..<end].split { $0.isWhitespace || $0.isNewline }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}

/// What reading a file of a folder has found.
package enum FolderFileContent: Sendable, Equatable {
  /// A picture, with SHA-256 in lower-case hexadecimal digits, and the version that was read.
  case picture(sha256: String, PictureInfo, version: String)
  case notAPicture
  /// The file cannot be read, is missing by now, or is being written.
  case unreadable
}

/// A file of a folder as the library knows it: the original of an image, which stays where it is.
package struct FolderOriginal: Sendable, Equatable {
  /// 0 for an image that is not stored yet.
  package var imageID: Int64
  /// The id of its entry, which stays the same when the file gets another name.
  package var entryID: String
  package var address: WebAddress
  /// As in `FolderFile`.
  package var version: String
  /// SHA-256 of the file, in lower-case hexadecimal digits.
  package var sha256: String
  package var info: PictureInfo

  package init(
    imageID: Int64 = 0,
    entryID: String,
    address: WebAddress,
    version: String,
    sha256: String,
    info: PictureInfo
  ) {
    self.imageID = imageID
    self.entryID = entryID
    self.address = address
    self.version = version
    self.sha256 = sha256
    self.info = info
  }

  /// The date from which its server is asked for a change: never (RFC 3339 ends with the year 9999).
  package static let checkDate = Date(timeIntervalSince1970: 253_402_300_799)

  /// A date from which a server is asked; nil for the one that stands for never.
  package static func checked(_ date: Date) -> Date? { date < checkDate ? date : nil }
}
