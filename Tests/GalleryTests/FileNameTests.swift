import Foundation
import TestSupport
import Testing

/// File names from strangers: in addresses, in identities, and in response fields.
struct FileNameTests {
  private let server: LoopbackServer
  private let library: TestLibrary

  /// Paths that lead upwards or to system files, or that are special to a shell or a file system.
  private static let paths = [
    "/a/../../../../up.jpg", "/%2e%2e/%2e%2e/%2e%2e/up.jpg", "/..%2f..%2f..%2fup.jpg",
    "/..%5c..%5cup.jpg", "/..\\..\\up.jpg", "/nul%00.jpg", "/-rf.jpg", "/~root/.ssh/id.jpg",
    "/etc/passwd%23.jpg", "/gallery.sqlite/..;/up.jpg",
    "/\(String(repeating: "n", count: 2000)).jpg",
  ]
  private static let identities = [
    "../../../up", "/etc/passwd", "nul\u{0}", ".", "", "-rf", "~", "a/b", "..\\up", "CON",
    String(repeating: "i", count: 2000),
  ]

  init() throws {
    library = try TestLibrary()
    let list = zip(Self.paths, Self.identities).map { ["id": $1, "url": $0] }
    let document = try Array(JSONSerialization.data(withJSONObject: list))
    let picture = TestPicture.jpeg(width: 640, height: 480)
    server = try LoopbackServer { request in
      if request.target == "/list" { return .whole(document) }
      return .whole(
        picture,
        fields: [
          "Content-Type: image/jpeg", "Content-Location: file:///etc/passwd",
          "Content-Disposition: attachment; filename=\"../../../named.jpg\"; "
            + "filename*=UTF-8''%2e%2e%2fnamed.jpg",
        ]
      )
    }
  }

  @Test func `lead to nothing outside of the library`() throws {
    let feed = "http://127.0.0.1:\(server.port)/list"
    let synced = try library.program.run("sync", feed, "--originals")
    let ids = (1...Self.paths.count).map(String.init).joined(separator: " ")
    let shown = try library.program.shell("gallery show \(ids) --offline")
    let copied = try library.program.run("show", "3", "--output", "copy.jpg")

    #expect(synced.status == 0, "\(synced)")
    #expect(copied.status == 0)
    let files = shown.output.split(separator: "\n")
    #expect(files.count == Self.paths.count)
    // The file name is the SHA-256 of the content, whatever name the server gave.
    for file in files {
      let name = file.trimmingPrefix("\(library.path)/originals/")
      #expect(name.wholeMatch(of: /[0-9a-f]{2}\/[0-9a-f]{64}\.jpg/) != nil, "\(file)")
    }
    #expect(try names(in: library.folder) == ["copy.jpg", "library"])
    let database = ["gallery.sqlite", "gallery.sqlite-shm", "gallery.sqlite-wal"]
    let own = Set(database + ["locks", "originals", "partial", "thumbnails"])
    #expect(try own.isSuperset(of: names(in: library.path)))
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }
}
