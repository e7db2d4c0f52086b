import Foundation
import TestSupport
import Testing

/// A table of the modules that each target may import, which fixes the direction of the architecture.
struct ImportsTests {
  static let allowed: [String: Set<String>] = [
    "Models": ["FoundationEssentials"],
    "PictureFiles": ["FoundationEssentials", "Models"],
    "Workers": ["FoundationEssentials", "Models", "PictureFiles", "Synchronization"],
    "Sync": ["FoundationEssentials", "Models", "PictureFiles", "Workers"],
    "Scenes": ["FoundationEssentials", "Glibc", "Models", "Workers"],
    "Terminal": ["CChafa", "Glibc", "Scenes", "Workers"],
    "FeedFormats": ["CExpat", "CZlib", "FoundationEssentials", "Glibc", "Models", "Workers"],
    "GalleryFeeds": ["FeedFormats", "FoundationEssentials", "Models", "Workers"],
    "CurlNetwork": [
      "CCurl", "FoundationEssentials", "Glibc", "Logging", "Models", "Synchronization", "Threading",
      "Workers",
    ],
    "LibraryFiles": [
      "CCrypto", "CLinux", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Models",
      "PictureFiles", "Workers",
    ],
    "Store": [
      "CPostgres", "CSQLite", "Dispatch", "FoundationEssentials", "Glibc", "LibraryFiles", "Models",
      "Workers",
    ],
    "SQLiteCache": [
      "CSQLite", "Dispatch", "FoundationEssentials", "Glibc", "LibraryFiles", "Models", "Store",
      "Workers",
    ],
    "PostgresStore": [
      "CPostgres", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "LibraryFiles",
      "Models", "Store", "Workers",
    ],
    "ObjectStore": ["CExpat", "FoundationEssentials", "LibraryFiles", "Models", "Workers"],
    "DecoderFrames": ["Models"],
    "ImageDecoder": [
      "CLinux", "CVips", "DecoderFrames", "Glibc", "Models", "PictureFiles", "Synchronization",
    ],
    "Imaging": [
      "CLinux", "DecoderFrames", "Dispatch", "Glibc", "Models", "PictureFiles", "Threading",
      "Workers",
    ],
    "Threading": ["CLinux", "Dispatch", "Glibc", "Workers"],
    "Composition": [
      "ArgumentParser", "CurlNetwork", "Dispatch", "FeedFormats", "FoundationEssentials", "Glibc",
      "Imaging", "LibraryFiles", "Logging", "Models", "ObjectStore", "PostgresStore", "SQLiteCache",
      "Scenes", "Settings", "Sync", "Threading", "Workers",
    ],
    "GalleryLibrary": [
      "Composition", "FoundationEssentials", "Logging", "Models", "Scenes", "Settings", "Workers",
    ],
    "GalleryScenes": ["Composition", "GalleryLibrary", "Models", "Scenes", "Workers"],
    "Settings": [
      "ArgumentParser", "FoundationEssentials", "Glibc", "Models", "TOMLKit", "Workers",
    ],
    "Web": ["CWebFiles", "CZlib", "FoundationEssentials", "Models", "Scenes", "Workers"],
    "gallery-server": [
      "ArgumentParser", "CDispatch", "CLinux", "Composition", "FoundationEssentials", "Glibc",
      "HTTPTypes", "Hummingbird", "HummingbirdCore", "HummingbirdHTTP2", "HummingbirdTLS",
      "Logging", "Models",
      "NIOCore", "NIOExtras", "NIOHTTP1", "NIOHTTPTypes", "NIOPosix", "NIOSSL", "PictureFiles",
      "Scenes", "ServiceLifecycle", "Settings", "Threading", "UnixSignals", "Web", "Workers",
    ],
    "gallery": [
      "ArgumentParser", "CVersion", "Composition", "Dispatch", "FoundationEssentials", "Glibc",
      "Logging",
      "Models", "Scenes", "Settings", "Synchronization", "Terminal", "Threading", "Web", "Workers",
    ],
  ]

  @Test func `every target with code is in the table`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Checkout.folder.appending(path: "Sources").path
    )
    let headers: Set = [
      "CChafa", "CCrypto", "CCurl", "CExpat", "CLinux", "CPostgres", "CSQLite", "CVersion",
      "CVips", "CWebFiles", "CZlib",
    ]
    #expect(Set(folders).subtracting(headers) == Set(Self.allowed.keys))
  }

  @Test(arguments: Array(allowed.keys))
  func `a target imports only what it may`(target: String) throws {
    let imports = try imports(of: target)

    #expect(imports.subtracting(Self.allowed[target] ?? []) == [])
    #expect(!imports.isEmpty || target == "Models")
  }

  /// Foundation brings ICU, whose tables are half of the program.
  @Test(arguments: Array(allowed.keys))
  func `no file imports Foundation whole`(target: String) throws {
    let files = try imports(inFilesOf: target).filter { $0.value.contains("Foundation") }

    #expect(Set(files.keys) == [])
  }

  /// The scenes need the C library for the time zone of the machine alone.
  @Test func `one file of the scenes imports C`() throws {
    let files = try imports(inFilesOf: "Scenes").filter { $0.value.contains("Glibc") }

    #expect(Array(files.keys) == ["Scenes/Wording/LocalTime.swift"])
  }

  /// SQLite would read "$1::bigint" as the name of a parameter.
  @Test func `queries for both databases have no casts of PostgreSQL`() throws {
    let folder = Checkout.folder.appending(path: "Sources/Store/Queries").path
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
      #expect(try !Checkout.text(of: "Sources/Store/Queries/\(file)").contains("::"), "\(file)")
    }
  }

  @Test func `the targets of the store alone have SQL`() throws {
    let store: Set = ["Store", "SQLiteCache", "PostgresStore"]
    let words = ["SELECT ", "INSERT INTO ", "DELETE FROM ", "CREATE TABLE ", "PRAGMA "]
    for target in Self.allowed.keys {
      let withSQL = try sources(of: target).filter { _, text in
        guard words.contains(where: { text.contains($0) }) else { return false }
        return text.split(separator: "\n").contains { line in
          !line.drop { $0 == " " }.hasPrefix("//") && words.contains { line.contains($0) }
        }
      }

      #expect(store.contains(target) != withSQL.isEmpty, "\(target): \(withSQL.keys.sorted())")
    }
  }

  private func imports(of target: String) throws -> Set<String> {
    try imports(inFilesOf: target).values.reduce(into: []) { $0.formUnion($1) }
  }

  /// The modules that each file imports, by its path.
  private func imports(inFilesOf target: String) throws -> [String: Set<String>] {
    try sources(of: target).mapValues { text in
      let matches = text.matches(of: /(?m)^(?:@\w+ )?(?:\w+ )?import (?:\w+ )?(\w+)/)
      return Set(matches.map { String($0.1) })
    }
  }

  /// The text of each file, by its path.
  private func sources(of target: String) throws -> [String: String] {
    let folder = Checkout.folder.appending(path: "Sources/\(target)").path
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    var texts: [String: String] = [:]
    // The steps of tutorials are code of other packages.
    for file in files where file.hasSuffix(".swift") && !file.contains(".docc/") {
      texts["\(target)/\(file)"] = try Checkout.text(of: "Sources/\(target)/\(file)")
    }
    return texts
  }
}
