import Foundation
import Glibc
import Models
import TestSupport
import Testing
import Workers

@testable import LibraryFiles

/// A folder with named files, on a real disk.
struct NamedFilesTests {
  private let scratch: ScratchFolder
  private let library: LibraryFolder

  init() throws {
    scratch = try ScratchFolder()
    library = LibraryFolder("\(scratch.path)/library")
    try FileManager.default.createDirectory(
      atPath: library.originals,
      withIntermediateDirectories: true
    )
  }

  private var work: String { scratch.path }

  private func open(
    _ folder: String? = nil,
    for id: String = "one",
    _ access: FolderAccess = .making
  ) throws -> any NamedFolder {
    try #require(
      try SiteFolders(besides: library).openNamed(folder ?? "\(work)/out", for: id, access)
    )
  }

  /// Stores an original.
  private func original(_ text: String) throws -> PictureInfo {
    let hash = try SHA256.digest(of: Array(text.utf8), path: "")
    let path = library.original(sha256: hash.hexadecimal, fileExtension: "jpg")
    try FileManager.default.createDirectory(
      atPath: library.originalsFolder(sha256: hash.hexadecimal),
      withIntermediateDirectories: true
    )
    try write(text, path)
    chmod(path, 0o600)
    return PictureInfo(
      format: .jpeg,
      bytes: text.utf8.count,
      width: nil,
      height: nil,
      hash: hash
    )
  }

  private func path(of original: PictureInfo) throws -> String {
    library.original(sha256: try #require(original.hash).hexadecimal, fileExtension: "jpg")
  }

  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private func content(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  private func mode(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.posixPermissions] as? Int ?? 0
  }

  private func file(_ id: Int64, _ path: String, _ mark: FileMark) -> ExportedFile {
    ExportedFile(imageID: id, number: 1, hash: 7, path: path, mark: mark)
  }

  private func record(_ folder: any NamedFolder) throws -> [ExportedFile] {
    let next = try folder.readRecord()
    var files: [ExportedFile] = []
    while let file = try next() { files.append(file) }
    return files
  }

  // MARK: Files

  @Test func `a file shares its room with the library's, and neither can be written by accident`()
    throws
  {
    let moon = try original("moon")
    let arrival = try open().make("Sky/2026/Moon.jpg", of: moon)

    guard case .made(let mark, let way) = arrival, way != .copy else {
      Issue.record("\(arrival)")
      return
    }
    let file = "\(work)/out/Sky/2026/Moon.jpg"
    #expect(content(file) == "moon")
    #expect(mark.bytes == 4)
    if way == .link {
      #expect(FileIdentity(file) == FileIdentity(try path(of: moon)))
      #expect(mode(file) & 0o222 == 0 && mode(file) & 0o400 != 0)
    }
    #expect(try open().mark(of: "Sky/2026/Moon.jpg") == mark)
  }

  @Test(.enabled(if: FileSystem.isFolder("/dev/shm")))
  func `on another file system a file is a copy, checked against its hash`() throws {
    let out = "/dev/shm/gallery-named-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: out) }
    let (moon, sun) = (try original("moon"), try original("sun"))
    try write("sin", try path(of: sun))
    let folder = try open(out)

    guard case .made(_, .copy) = try folder.make("Moon.jpg", of: moon) else {
      Issue.record("no copy")
      return
    }
    #expect(try folder.make("Moon.jpg", of: try original("Luna")) == .taken)
    try folder.finishRecord()
    #expect(content("\(out)/Moon.jpg") == "moon")
    #expect(mode("\(out)/Moon.jpg") & 0o600 == 0o600)
    #expect(mode(try path(of: moon)) == 0o600)
    #expect(try folder.make("Sun.jpg", of: sun) == .damaged)
    #expect(try folder.make("Moon.jpg", of: try original("Luna")) == .taken)
    let names = try FileManager.default.subpathsOfDirectory(atPath: out)
    #expect(!names.contains { $0.hasSuffix(".new") || $0 == "Sun.jpg" })
  }

  @Test func `nothing that has a name is replaced, and the same content is taken over`() throws {
    let (moon, sun) = (try original("moon"), try original("sun"))
    let folder = try open()
    try write("mine", "\(work)/out/Moon.jpg")
    try write("moon", "\(work)/out/Luna.jpg")
    try FileManager.default.createDirectory(
      atPath: "\(work)/out/Folder.jpg",
      withIntermediateDirectories: true
    )
    symlink("\(work)/nowhere", "\(work)/out/Link.jpg")

    for name in ["Moon.jpg", "Folder.jpg", "Link.jpg"] {
      #expect(try folder.make(name, of: moon) == .taken)
      #expect(try folder.write([1], to: name, replacing: nil) == .taken)
    }
    #expect(content("\(work)/out/Moon.jpg") == "mine")
    guard case .made(_, .found) = try folder.make("Luna.jpg", of: moon) else {
      Issue.record("not taken over")
      return
    }
    #expect(try folder.make("Luna.jpg", of: sun) == .taken)
  }

  @Test func `an original that is missing, a link or of another length is damaged`() throws {
    let folder = try open()
    let (moon, sun, star) = (try original("moon"), try original("sun"), try original("star"))
    unlink(try path(of: moon))
    try write("sunny", try path(of: sun))
    unlink(try path(of: star))
    symlink(try path(of: sun), try path(of: star))

    for one in [moon, sun, star] { #expect(try folder.make("x.jpg", of: one) == .damaged) }
    #expect(folder.mark(of: "x.jpg") == nil)
  }

  @Test func `leads through no link, and makes nothing behind one`() throws {
    let moon = try original("moon")
    try FileManager.default.createDirectory(
      atPath: "\(work)/elsewhere",
      withIntermediateDirectories: true
    )
    let folder = try open()
    symlink("\(work)/elsewhere", "\(work)/out/Sky")
    try write("mine", "\(work)/out/Sea")

    #expect(try folder.make("Sky/2026/Moon.jpg", of: moon) == .blocked)
    #expect(try folder.make("Sea/Moon.jpg", of: moon) == .blocked)
    #expect(try folder.write([1], to: "Sky/x", replacing: nil) == .blocked)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(work)/elsewhere") == [])
  }

  @Test func `replaces a file only while it is as it was`() throws {
    let (moon, sun) = (try original("moon"), try original("sun"))
    let folder = try open()
    guard case .made(let mark, _) = try folder.make("a.jpg", of: moon),
      case .made(let newer, _) = try folder.replace("a.jpg", mark, with: sun)
    else {
      Issue.record("nothing made")
      return
    }
    #expect(content("\(work)/out/a.jpg") == "sun")
    #expect(content(try path(of: moon)) == "moon")
    #expect(newer == folder.mark(of: "a.jpg"))

    unlink("\(work)/out/a.jpg")
    try write("mine", "\(work)/out/a.jpg")
    #expect(try folder.replace("a.jpg", newer, with: moon) == .taken)
    #expect(try folder.write([1], to: "a.jpg", replacing: newer) == .taken)
    #expect(content("\(work)/out/a.jpg") == "mine")
    let own = try FileManager.default.contentsOfDirectory(atPath: "\(work)/out/.gallery-export")
    #expect(own.sorted() == ["files", "library"])
  }

  @Test func `a look changes nothing, and says what would come of it`() throws {
    let moon = try original("moon")
    let folders = SiteFolders(besides: library)
    #expect(try folders.openNamed("\(work)/out", for: "one", .looking) == nil)
    try FileManager.default.createDirectory(
      atPath: "\(work)/out/deep",
      withIntermediateDirectories: true
    )
    try write("mine", "\(work)/out/deep/Moon.jpg")
    let folder = try open(nil, .looking)

    #expect(try folder.make("deep/Moon.jpg", of: moon) == .taken)
    #expect(try folder.make("deep/Moon.jpg/x", of: moon) == .blocked)
    guard case .made = try folder.make("new/Moon.jpg", of: moon) else {
      Issue.record("nothing planned")
      return
    }
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: "\(work)/out").sorted() == [
        "deep", "deep/Moon.jpg",
      ]
    )
  }

  @Test func `a copy gets its name with the record, and keeps it from another one until then`()
    throws
  {
    let folder = try open()
    guard case .made(let mark, .copy) = try folder.write([1], to: "a.xmp", replacing: nil) else {
      Issue.record("nothing made")
      return
    }
    #expect(folder.mark(of: "a.xmp") == nil)
    #expect(try folder.write([2], to: "a.xmp", replacing: nil) == .taken)

    try folder.finishRecord()
    #expect(folder.mark(of: "a.xmp") == mark)
  }

  @Test func `a file that another program makes meanwhile stays`() throws {
    let folder = try open()
    guard case .made = try folder.write([1], to: "a.xmp", replacing: nil) else {
      Issue.record("nothing made")
      return
    }
    try write("mine", "\(work)/out/a.xmp")
    try folder.finishRecord()

    #expect(content("\(work)/out/a.xmp") == "mine")
    let own = try FileManager.default.contentsOfDirectory(atPath: "\(work)/out/.gallery-export")
    #expect(own.sorted() == ["files", "library"])
  }

  @Test func `copies that a killed export left without a name are deleted, and made again`() throws
  {
    var folder: (any NamedFolder)? = try open()
    _ = try folder?.write([1], to: "a.xmp", replacing: nil)
    folder = nil

    folder = try open()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(work)/out/.gallery-export").sorted()
        == ["files", "library"]
    )
    guard case .made = try folder?.write([1], to: "a.xmp", replacing: nil) else {
      Issue.record("nothing made")
      return
    }
  }

  // MARK: The record

  @Test func `a record is read as it was written`() throws {
    var folder: (any NamedFolder)? = try open()
    var moon = file(1, "Sky/Moon [1].jpg", FileMark(bytes: 4, changed: -7))
    moon.sidecar = .init(format: .xmp, mark: FileMark(bytes: 9, changed: 8))
    let emoji = file(2, "👩‍🚀/Zoe\u{308}", FileMark(bytes: 0, changed: .max))
    try folder?.append(moon)
    try folder?.append(emoji)
    #expect(try folder.map(record) == [])
    try folder?.finishRecord()

    #expect(try folder.map(record) == [moon, emoji])
    folder = nil
    #expect(try record(open()) == [moon, emoji])
  }

  /// The record is longer than one buffer of the reader, and of the writer.
  ///
  /// A power cut may have taken the name of a file that the next record has.
  @Test
  func `after a kill the files of the next record count that are there, and the rest of the last`()
    throws
  {
    let mark = FileMark(bytes: 1, changed: 1)
    let old = (1...3_000).map { file(Int64($0), "old/\($0)", mark) }
    var folder: (any NamedFolder)? = try open()
    for file in old { try folder?.append(file) }
    try folder?.finishRecord()
    try folder?.setNote("done")
    folder = nil
    let new = (1...1_500).map { file(Int64($0), "new/\($0)", mark) }
    let text = new.map { FileRecord.line($0) }.joined() + "1501\t1\t7\t1\t1\t-\t0\t0\tto"
    try write(text, "\(work)/out/.gallery-export/files.next")
    try FileManager.default.createDirectory(
      atPath: "\(work)/out/new",
      withIntermediateDirectories: true
    )
    for file in new.dropLast() { try write("x", "\(work)/out/\(file.path)") }

    let after = try open()
    #expect(try record(after) == new.dropLast() + old.dropFirst(1_500))
    #expect(after.note == nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(work)/out/.gallery-export")
    #expect(names.sorted() == ["files", "library"])
  }

  // MARK: Owners of folders

  @Test func `takes a folder with other files, and none of another library or form`() throws {
    try FileManager.default.createDirectory(
      atPath: "\(work)/out",
      withIntermediateDirectories: true
    )
    try write("mine", "\(work)/out/mine")
    do {
      let folder = try open()
      #expect(throws: SiteExportError.busy(path: "\(work)/out")) { try open() }
      withExtendedLifetime(folder) {}
    }
    #expect(throws: SiteExportError.otherLibrary(path: "\(work)/out")) { try open(for: "two") }
    #expect(throws: SiteExportError.otherForm(path: "\(work)/out")) {
      try SiteFolders(besides: library).open("\(work)/out", for: "one")
    }
    _ = try SiteFolders(besides: library).open("\(work)/site", for: "one")
    #expect(throws: SiteExportError.otherForm(path: "\(work)/site")) { try open("\(work)/site") }
    #expect(throws: SiteExportError.missing(path: "\(work)/none")) {
      try open("\(work)/none", .following)
    }
    try FileManager.default.createDirectory(
      atPath: "\(work)/unmounted",
      withIntermediateDirectories: true
    )
    #expect(throws: SiteExportError.missing(path: "\(work)/unmounted")) {
      try open("\(work)/unmounted", .following)
    }
    #expect(try open(nil, .following).note == nil)
    #expect(throws: SiteExportError.overlapping(path: "\(work)/library/x")) {
      try open("\(work)/library/x")
    }
    #expect(content("\(work)/out/mine") == "mine")
    #expect(!FileManager.default.fileExists(atPath: "\(work)/none"))
  }
}
