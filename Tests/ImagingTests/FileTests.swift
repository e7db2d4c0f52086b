import Foundation
import Imaging
import Models
import Testing
import Workers

struct FileTests {
  let pool = TestPool.shared.pool
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  @Test func `a file is decoded where it lies`() async throws {
    let file = folder.appending(path: "picture")
    try Data(Picture.png).write(to: file)
    let facts = try await pool.inspect(.file(path: file.path))

    #expect(facts.format == .png)
    #expect((facts.width, facts.height) == (32, 16))
  }

  @Test func `a file that is not there is named`() async {
    let path = folder.appending(path: "missing").path

    await #expect(
      throws: ImagingError.unreadable(path: path, message: "No such file or directory")
    ) {
      try await pool.inspect(.file(path: path))
    }
  }

  @Test(arguments: ["/dev/zero", "/"])
  func `what is no file is not read`(path: String) async {
    await #expect(throws: ImagingError.unreadable(path: path, message: "not a file")) {
      try await pool.inspect(.file(path: path))
    }
  }
}
