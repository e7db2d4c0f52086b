import Foundation
import Glibc
import Models
import Testing
import Workers

@testable import LibraryFiles

/// Copies of pictures to paths that exist, but are not plain files.
final class PictureExporterTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/gallery-export-\(UUID())"
  private let picture = ExportedPicture.thumbnail(Array("picture".utf8))

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  // A folder that remains in the system's temporary folder does no harm.
  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @Test(arguments: [false, true])
  func `writes into a pipe, which stays one`(isReplacing: Bool) throws {
    let path = folder + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }

    try export(to: path, isReplacing: isReplacing)

    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(reader, &buffer, buffer.count)
    #expect(buffer.prefix(max(0, count)).elementsEqual("picture".utf8))
    #expect(try names() == ["pipe"])
  }

  @Test func `writes into a device, also by a link`() throws {
    let path = folder + "/link"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")

    try export(to: path, isReplacing: true)

    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "/dev/null")
    #expect(try names() == ["link"])
  }

  @Test func `passes on what a device says`() {
    #expect(
      throws: ExportError.unwritable(path: "/dev/full", message: "No space left on device")
    ) {
      try export(to: "/dev/full", isReplacing: false)
    }
  }

  @Test(arguments: [false, true])
  func `refuses a folder`(isReplacing: Bool) throws {
    #expect(throws: ExportError.notAFile(path: folder)) {
      try export(to: folder, isReplacing: isReplacing)
    }
    #expect(try names() == [])
  }

  @Test func `replaces a link to a file, and leaves the file`() throws {
    let (file, link) = (folder + "/file", folder + "/link")
    try Data("mine".utf8).write(to: URL(filePath: file))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)

    #expect(throws: ExportError.exists(path: link)) { try export(to: link, isReplacing: false) }
    try export(to: link, isReplacing: true)

    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    #expect(try String(contentsOfFile: link, encoding: .utf8) == "picture")
    #expect(try names() == ["file", "link"])
  }

  @Test func `leaves no copy of an original that is not what was stored, and says so`() throws {
    let (file, copy) = (folder + "/file", folder + "/copy")
    try Data("wrong".utf8).write(to: URL(filePath: file))
    try Data("mine".utf8).write(to: URL(filePath: copy))
    let original = ExportedPicture.original(
      StoredOriginal(
        path: file,
        sha256: "ab",
        info: PictureInfo(format: .jpeg, bytes: 5, width: nil, height: nil),
        isStale: false
      )
    )

    #expect(throws: ExportError.damaged(path: file, isSpilt: false)) {
      try PictureExporter().export(original, to: .file(path: copy, isReplacing: true))
    }
    #expect(throws: ExportError.damaged(path: file, isSpilt: true)) {
      try PictureExporter().export(original, to: .file(path: "/dev/null", isReplacing: false))
    }
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == "mine")
    #expect(try names() == ["copy", "file"])
  }

  private func export(to path: String, isReplacing: Bool) throws(ExportError) {
    try PictureExporter().export(picture, to: .file(path: path, isReplacing: isReplacing))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }
}
