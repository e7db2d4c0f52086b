import Foundation

/// Where the library is: the option, the environment, the checkout, the user's data folder, in this
/// order.
struct LibraryPlace: Equatable {
  let path: String

  /// Finds the place.
  ///
  /// - Parameters:
  ///   - option: What `--cache` gives.
  ///   - environment: The process's environment.
  ///   - program: The path of the running program.
  ///   - workingFolder: What relative paths are taken from.
  ///   - home: The user's folder where the environment does not name it.
  ///   - fileExists: Whether there is something at a path.
  init(
    option: String?,
    environment: [String: String],
    program: String,
    workingFolder: String,
    home: () -> String?,
    fileExists: (String) -> Bool
  ) {
    let given = option ?? environment["GALLERY_CACHE"].flatMap { $0.isEmpty ? nil : $0 }
    let checkout = Self.checkout(around: program, fileExists: fileExists)
    let path = given ?? checkout ?? Self.dataFolder(environment, home)
    self.path = path.hasPrefix("/") ? path : "\(workingFolder)/\(path)"
  }

  /// The `Cache` of the checkout in whose `.build` the program lies.
  private static func checkout(around program: String, fileExists: (String) -> Bool) -> String? {
    let parts = program.split(separator: "/")
    guard let build = parts.lastIndex(of: ".build") else { return nil }
    let checkout = "/" + parts[..<build].joined(separator: "/")
    let isOurs = fileExists("\(checkout)/Package.swift") && fileExists("\(checkout)/Cache")
    return isOurs ? "\(checkout)/Cache" : nil
  }

  /// After the XDG Base Directory Specification: a relative `$XDG_DATA_HOME` is ignored.
  private static func dataFolder(
    _ environment: [String: String],
    _ userHome: () -> String?
  ) -> String {
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/gallery" }
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? userHome() ?? ""
    return "\(home)/.local/share/gallery"
  }
}

extension LibraryPlace {
  /// Where the library of this process is.
  static func ofProgram(option: String?) -> LibraryPlace {
    LibraryPlace(
      option: option,
      environment: Program.environment(["GALLERY_CACHE", "XDG_DATA_HOME", "HOME"]),
      program: Program.path,
      workingFolder: Program.workingFolder,
      home: { Program.home },
      fileExists: FileManager.default.fileExists
    )
  }
}
