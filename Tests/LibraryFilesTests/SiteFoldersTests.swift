import Foundation
import Models
import TestSupport
import Testing
import Workers

@testable import LibraryFiles

/// The folder of a static site.
struct SiteFoldersTests {
  private let scratch: ScratchFolder
  private let folders: SiteFolders

  init() throws {
    scratch = try ScratchFolder()
    let library = "\(scratch.path)/library"
    try FileManager.default.createDirectory(atPath: library, withIntermediateDirectories: false)
    folders = SiteFolders(besides: LibraryFolder(library))
  }

  private var work: String { scratch.path }

  private func open(_ name: String = "site/deep") throws -> any SiteFolder {
    try folders.open("\(work)/\(name)", for: "one")
  }

  private func content(_ name: String) -> String? {
    FileManager.default.contents(atPath: "\(work)/site/deep/\(name)")
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The permissions that new files of this process never have (umask(2)).
  private static func withheld() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Umask:") })
    return try #require(Int(line.split(separator: "\t").last ?? "", radix: 8))
  }

  @Test func `writes a file once, in folders that others may read if the user allows it`() throws {
    let site = try open()

    #expect(try site.write(Array("a".utf8), to: "x/y/z"))
    #expect(try !site.write(Array("a".utf8), to: "x/y/z"))
    #expect(try site.write(Array("b".utf8), to: "x/y/z"))
    #expect(content("x/y/z") == "b")
    let hash = try SHA256.digest(of: Array("b".utf8), path: "")
    #expect(site.has("x/y/z", bytes: 1, hash: hash))
    #expect(!site.has("x/y/z", bytes: 2, hash: hash))
    #expect(!site.has("x", bytes: 1, hash: hash))
    let mode = try FileManager.default.attributesOfItem(atPath: "\(work)/site/deep/x/y/z")
    #expect((mode[.posixPermissions] as? Int ?? 0) & 0o444 == 0o444 & ~(try Self.withheld()))
  }

  /// After a power cut, a file may have its length, and zeros for its content.
  @Test func `trusts no file of an export that was not completed`() throws {
    let hash = try SHA256.digest(of: [1, 2, 3], path: "")
    let other = try SHA256.digest(of: [0, 0, 0], path: "")
    do {
      let site = try open()
      _ = try site.write([1, 2, 3], to: "t/whole")
      _ = try site.write([0, 0, 0], to: "t/torn")
    }

    do {
      let site = try open()
      #expect(site.has("t/whole", bytes: 3, hash: hash))
      #expect(!site.has("t/torn", bytes: 3, hash: hash))
      try site.setNote("the state")
    }
    #expect(try open().has("t/whole", bytes: 3, hash: other))
  }

  @Test func `copies the beginning of a file that has its hash, and nothing of another`() throws {
    let site = try open()
    let source = "\(work)/source"
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try Data(bytes).write(to: URL(filePath: source))
    let hash = try SHA256.digest(of: bytes, path: "")
    let beginning = try SHA256.digest(of: Array(bytes.prefix(300_000)), path: "")

    #expect(try site.copy(source, bytes: 600_000, hash: hash, to: "o/whole"))
    #expect(try site.copy(source, bytes: 300_000, hash: beginning, to: "o/part"))
    #expect(try !site.copy(source, bytes: 600_000, hash: beginning, to: "o/other"))
    #expect(try !site.copy(source, bytes: 700_000, hash: hash, to: "o/longer"))
    #expect(FileManager.default.contents(atPath: "\(work)/site/deep/o/whole") == Data(bytes))
    #expect(FileManager.default.contents(atPath: "\(work)/site/deep/o/part")?.count == 300_000)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(work)/site/deep/o")
    #expect(names.sorted() == ["part", "whole"])
    let own = try FileManager.default.contentsOfDirectory(
      atPath: "\(work)/site/deep/.gallery-export"
    )
    #expect(own == ["library"])
  }

  @Test func `sweeps what is not kept, and folders that are empty then`() throws {
    let site = try open()
    for name in ["a/1", "a/2", "a/b/3", "a/c/4"] { _ = try site.write([1], to: name) }

    #expect(try site.sweep("a") { ["a/1", "a/c/4"].contains($0) } == 2)
    #expect(try site.sweep("none") { _ in false } == 0)
    let left = FileManager.default.enumerator(atPath: "\(work)/site/deep/a")?.allObjects
    #expect(Set(left as? [String] ?? []) == ["1", "c", "c/4"])
  }

  @Test func `follows no link out of its folder, to write or to sweep`() throws {
    let files = FileManager.default
    try files.createDirectory(atPath: "\(work)/photos/2026", withIntermediateDirectories: true)
    try Data([7]).write(to: URL(filePath: "\(work)/photos/own"))
    let site = try open()
    try files.createSymbolicLink(
      atPath: "\(work)/site/deep/o",
      withDestinationPath: "\(work)/photos"
    )

    #expect(throws: SiteExportError.self) { try site.write([1], to: "o/own") }
    #expect(throws: SiteExportError.self) { try site.write([1], to: "o/2026/new") }
    #expect(throws: SiteExportError.self) { try site.sweep("o") { _ in false } }

    #expect(files.contents(atPath: "\(work)/photos/own") == Data([7]))
    #expect(try files.contentsOfDirectory(atPath: "\(work)/photos").sorted() == ["2026", "own"])
    #expect(try files.contentsOfDirectory(atPath: "\(work)/photos/2026").isEmpty)
  }

  @Test func `keeps a note until the next export begins`() throws {
    let site = try open()
    #expect(site.note == nil)
    try site.setNote("state\n")
    #expect(site.note == "state\n")
    try site.setNote(nil)
    try site.setNote(nil)
    #expect(site.note == nil)
    try site.settle()
  }

  @Test func `takes its own site again, without what an export has left that was killed`() throws {
    do { _ = try open().write([1], to: ".gallery-export/77.new") }

    _ = try open()
    #expect(content(".gallery-export/77.new") == nil)
    #expect(content(".gallery-export/library") == "one\n")
  }

  @Test func `refuses the folders of others`() throws {
    let site = try open()
    #expect(throws: SiteExportError.busy(path: "\(work)/site/deep")) { try open() }
    #expect(throws: SiteExportError.overlapping(path: "\(work)/library/a/b")) {
      try open("library/a/b")
    }
    for path in ["/", "//", "/..", "\(work)/.."] {
      #expect(throws: SiteExportError.overlapping(path: path)) {
        try folders.open(path, for: "one")
      }
    }
    #expect(throws: SiteExportError.overlapping(path: work)) {
      try folders.open(work, for: "one")
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(work)/link",
      withDestinationPath: "\(work)/library"
    )
    #expect(throws: SiteExportError.overlapping(path: "\(work)/link/a")) { try open("link/a") }
    #expect(throws: SiteExportError.foreign(path: "\(work)/site")) { try open("site") }
    _ = site
  }

  @Test func `refuses the site of another library`() throws {
    do { _ = try open() }
    #expect(throws: SiteExportError.otherLibrary(path: "\(work)/site/deep")) {
      try folders.open("\(work)/site/deep", for: "two")
    }
  }
}
