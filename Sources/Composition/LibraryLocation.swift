import FoundationEssentials
import Glibc
import LibraryFiles
import Models
package import PostgresStore
import SQLiteCache
import Settings
import Workers

/// The location of a library.
///
/// It is determined by the option, the environment, the checkout, or the user's data folder, in this order.
package struct LibraryLocation: Equatable, Sendable {
  /// The folder of the library; for a library in a database, the folder for its originals.
  package let path: String
  /// The address of the database; nil for a library in a folder.
  package let database: PostgresAddress?

  /// The name for messages.
  package var name: String { database?.name ?? path }

  /// The value of `--cache` for the commands that messages suggest.
  ///
  /// In the address of a database, a password is masked, together with the user. Without one, the address stays whole:
  /// its parameters, too, say which library is meant.
  package static func suggested(_ option: String?) -> String? {
    guard let option, PostgresAddress(option) != nil else { return option }
    let withoutUser = option.replacing(/^(postgres(?:ql)?:\/\/)[^:@\/?]*@/) { String($0.1) }
    return WebAddress.masking(withoutUser) == withoutUser ? option : WebAddress.masking(option)
  }

  /// Whether the library is a backup in a folder; the database of a server is not asked.
  package var isBackupInFolder: Bool {
    database == nil && SQLiteLibrary.isBackup(inFolder: path)
  }

  /// The folder around the library's folder, if it does not exist.
  package var missingParent: String? {
    let parent = URL(filePath: path).deletingLastPathComponent().path
    return FileManager.default.fileExists(atPath: parent) ? nil : parent
  }

  /// Whether one of two libraries in folders lies in the folder of the other, by whatever name.
  package func overlaps(_ other: LibraryLocation) -> Bool {
    guard database == nil, other.database == nil else { return false }
    do throws(SiteExportError) {
      try SiteFolders(besides: LibraryFolder(path)).checkApart(other.path)
      return false
    } catch {
      return true
    }
  }

  /// Finds the location for this process.
  package init(
    option: String?,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.init(
      option: option,
      environment: environment,
      program: Self.program,
      workingFolder: FileManager.default.currentDirectoryPath,
      home: { Self.home },
      fileExists: FileManager.default.fileExists
    )
  }

  /// Finds the location.
  ///
  /// - Parameters:
  ///   - option: The value of `--cache`.
  ///   - environment: The environment of the process.
  ///   - program: The path of the running program.
  ///   - workingFolder: The folder to which paths are relative.
  ///   - home: The user's home, if the environment does not contain it.
  ///   - fileExists: Whether a path exists.
  init(
    option: String?,
    environment: [String: String],
    program: String,
    workingFolder: String,
    home: () -> String?,
    fileExists: (String) -> Bool
  ) {
    let named = option ?? environment["GALLERY_CACHE"].flatMap { $0.isEmpty ? nil : $0 }
    let expanded = named.map { HomePath.expanded($0) { environment["HOME"] ?? home() } }
    database = expanded.flatMap(PostgresAddress.init)
    let data = Self.dataFolder(environment, home)
    let path: String
    if let database {
      path = "\(data)/databases/\(database.folderName)"
    } else {
      path = expanded ?? Self.checkout(around: program, fileExists: fileExists) ?? data
    }
    self.path = path.hasPrefix("/") ? path : "\(workingFolder)/\(path)"
  }

  /// The folder `Cache` of the checkout whose `.build` contains the program.
  private static func checkout(around program: String, fileExists: (String) -> Bool) -> String? {
    let parts = program.split(separator: "/")
    guard let build = parts.lastIndex(of: ".build") else { return nil }
    let checkout = "/" + parts[..<build].joined(separator: "/")
    let isOurs = fileExists("\(checkout)/Package.swift") && fileExists("\(checkout)/Cache")
    return isOurs ? "\(checkout)/Cache" : nil
  }

  /// The data folder of the XDG Base Directory Specification, which ignores a relative `$XDG_DATA_HOME`.
  private static func dataFolder(
    _ environment: [String: String],
    _ userHome: () -> String?
  ) -> String {
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/gallery" }
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? userHome() ?? ""
    return "\(home)/.local/share/gallery"
  }

  /// The path of the running program, with links resolved (proc(5)).
  private static var program: String {
    do {
      return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    } catch {
      return CommandLine.arguments.first ?? ""
    }
  }

  /// The user's home according to the system's user database; nil for an unknown user.
  private static var home: String? {
    getpwuid(getuid()).flatMap { user in user.pointee.pw_dir.map { String(cString: $0) } }
  }
}

/// The file with logins for hosts: `$NETRC`, as in curl since 8.16, or else `~/.netrc`.
package enum NetrcFile {
  /// The path of the file; nil when the environment does not contain a home.
  package static func path(in environment: [String: String]) -> String? {
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/.netrc" }
    return environment["NETRC"].flatMap { $0.isEmpty ? nil : $0 } ?? home
  }
}
