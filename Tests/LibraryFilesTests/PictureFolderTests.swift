import Foundation
import Glibc
import Models
import TestSupport
import Testing
import Workers

@testable import LibraryFiles

/// A folder of pictures that is a feed, on a real disk.
struct PictureFolderTests {
  private let scratch: ScratchFolder
  private let folder: WebAddress

  init() throws {
    scratch = try ScratchFolder()
    folder = WebAddress(filePath: scratch.path + "/photos/", relativeTo: "/")
    try make("photos")
  }

  private func make(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/\(name)",
      withIntermediateDirectories: true
    )
  }

  /// Writes a file that was changed at a second.
  private func write(_ name: String, _ bytes: [UInt8] = PictureBytes.png, at second: Int = 0) throws
  {
    let path = "\(scratch.path)/\(name)"
    try Data(bytes).write(to: URL(filePath: path))
    var times = [timeval(tv_sec: second, tv_usec: 0), timeval(tv_sec: second, tv_usec: 0)]
    utimes(path, &times)
  }

  private func link(_ name: String, to target: String) {
    #expect(symlink(target, "\(scratch.path)/\(name)") == 0)
  }

  private func contents() async throws -> FolderContents {
    try await PictureFolder().contents(of: folder)
  }

  @Test func `a folder is away while it is missing or empty`() async throws {
    let folders = PictureFolder(patience: .ofTests)
    #expect(await folders.isAway(folder))

    try write("photos/a.png")
    #expect(await !folders.isAway(folder))
    try FileManager.default.removeItem(atPath: scratch.path + "/photos/a.png")
    try make("photos/below")
    #expect(await !folders.isAway(folder))

    try FileManager.default.removeItem(atPath: scratch.path + "/photos")
    #expect(await folders.isAway(folder))
    try write("photos")
    #expect(await folders.isAway(folder))
    #expect(await !folders.isAway(.at("https://a.b/photos/")))
  }

  @Test func `a folder is not away because the process was stopped for a while`() async throws {
    try write("photos/a.png")
    // Nine parts of its time are over as soon as they begin, and the last one of ten is not.
    let stops = Locked(9)
    var folders = PictureFolder()
    folders.later = { _, work in
      let isOver = stops.withLock { stops in
        stops -= 1
        return stops >= 0
      }
      if isOver { work() }
    }

    #expect(await !folders.isAway(folder))
  }

  @Test func `a folder has one place, whatever path names it`() async throws {
    try make("photos/below")
    try make("other/deep")
    link("photos-link", to: "photos")
    link("deep-link", to: "other/deep")
    func place(_ path: String, among known: [WebAddress] = []) async -> String? {
      let address = WebAddress(filePath: "\(scratch.path)/\(path)", relativeTo: "/")
      let place = await PictureFolder(patience: .ofTests).place(of: address, among: known)
      return place.filePath.map { $0.replacing(scratch.path, with: "") }
    }

    for path in ["photos/", "photos//", "photos/below/../", ".//other/..//photos/./"] {
      #expect(await place(path) == "/photos/")
    }
    #expect(await place("photos-link/") == "/photos-link/")
    #expect(await place("photos-link/", among: [folder]) == "/photos/")
    #expect(await place("other/", among: [folder]) == "/other/")
    let odd = WebAddress(filePath: "\(scratch.path)/other/../photos//", relativeTo: "/")
    #expect(await place("photos/", among: [odd]) == "/other/../photos//")
    // The folder above the one to which the link leads, and not the folder of the link.
    #expect(await place("deep-link/../") == "/deep-link/../")
    #expect(await place("missing/../photos/") == "/missing/../photos/")
  }

  private func paths() async throws -> [String] { try await contents().files.map(\.path) }

  private func read(_ name: String) async throws -> FolderFileContent {
    let file = try await contents().files.first { $0.path == name }
    let folders = PictureFolder { Date(timeIntervalSince1970: 2_000) }
    return await folders.read(try #require(file), in: folder)
  }

  /// The original as a library knows it after it has read the file.
  private func original(_ name: String) async throws -> FolderOriginal {
    guard case .picture(let sha256, let info, let version) = try await read(name) else {
      throw NetworkError(reason: .other, address: folder, message: "not a picture")
    }
    return FolderOriginal(
      entryID: name,
      address: WebAddress(filePath: "\(scratch.path)/photos/\(name)", relativeTo: "/"),
      version: version,
      sha256: sha256,
      info: info
    )
  }

  // MARK: Lists

  @Test func `pictures are listed with those in folders below, the newest first`() async throws {
    try make("photos/b/c")
    try write("photos/old.jpg", at: 1_000)
    try write("photos/b/new.PNG", at: 3_000)
    try write("photos/b/c/mid.webp", at: 2_000)
    try write("photos/b/film.apng", at: 2_500)
    try write("photos/notes.txt")
    try write("photos/jpg")

    let contents = try await contents()

    #expect(contents.files.map(\.path) == ["b/new.PNG", "b/film.apng", "b/c/mid.webp", "old.jpg"])
    #expect(contents.files.map(\.modified.timeIntervalSince1970) == [3_000, 2_500, 2_000, 1_000])
    #expect(contents.flaws == [])
  }

  @Test func `the address of a file escapes its name, and its title is the name`() async throws {
    try write("photos/Été à 100% #1.jpg")

    let file = try #require(try await contents().files.first)

    #expect(file.address.text == "\(folder.text)%C3%89t%C3%A9%20%C3%A0%20100%25%20%231.jpg")
    #expect(file.address.filePath == "\(scratch.path)/photos/Été à 100% #1.jpg")
    #expect(file.title == "Été à 100% #1")
  }

  @Test func `hidden names, and those of network drives and systems, are left out`() async throws {
    for name in ["a", ".thumbnails", "@eaDir", "#recycle", "$RECYCLE.BIN", "lost+found"] {
      try make("photos/\(name)")
      try write("photos/\(name)/x.jpg")
    }
    try write("photos/.hidden.jpg")
    try write("photos/._mac.jpg")

    #expect(try await paths() == ["a/x.jpg"])
  }

  @Test func `libraries and exports in the folder are left out`() async throws {
    for name in ["library", "export", "a"] { try make("photos/\(name)") }
    try write("photos/library/gallery.sqlite")
    try make("photos/export/.gallery-export")
    for name in ["library", "export", "a"] { try write("photos/\(name)/x.jpg") }

    #expect(try await paths() == ["a/x.jpg"])
  }

  @Test(arguments: ["gallery.sqlite", ".gallery-export"])
  func `the folder of a library, and an export, are refused`(name: String) async throws {
    try write("photos/" + name)

    await #expect(throws: NetworkError.self) { try await contents() }
  }

  @Test func `a missing folder, and a file in its place, are refused`() async throws {
    let missing = WebAddress(filePath: scratch.path + "/none/", relativeTo: "/")
    try write("file")
    let file = WebAddress(filePath: scratch.path + "/file/", relativeTo: "/")

    for address in [missing, file] {
      await #expect(throws: NetworkError.self) {
        try await PictureFolder().contents(of: address)
      }
    }
  }

  @Test func `an empty folder has no files`() async throws {
    #expect(try await contents() == FolderContents(files: []))
  }

  @Test func `links are not followed, and those that lead out are reported`() async throws {
    try make("outside")
    try write("outside/secret.jpg")
    try write("photos/a.jpg")
    link("photos/inside.jpg", to: "a.jpg")
    link("photos/out.jpg", to: "../outside/secret.jpg")
    link("photos/folder", to: "../outside")
    link("photos/text", to: "/etc/hostname")
    link("photos/broken.jpg", to: "nothing")

    let contents = try await contents()

    #expect(contents.files.map(\.path) == ["a.jpg"])
    #expect(contents.leftOut == LeftOutFiles(links: 3))
    guard case .linksLeftOut(2, _)? = contents.flaws.first else {
      Issue.record("\(contents.flaws)")
      return
    }
    #expect(contents.flaws.count == 1)
  }

  @Test func `raw files are counted, and other files are not`() async throws {
    for name in ["a.jpg", "a.CR2", "b.dng", "c.nef", "notes.txt", "a.xmp", ".hidden.cr2", "dng"] {
      try write("photos/\(name)")
    }

    let contents = try await contents()

    #expect(contents.files.map(\.path) == ["a.jpg"])
    #expect(contents.leftOut == LeftOutFiles(raw: 3))
    #expect(contents.flaws == [])
  }

  @Test func `the folder itself may be a link`() async throws {
    try write("photos/a.jpg")
    link("linked", to: "photos")
    let linked = WebAddress(filePath: scratch.path + "/linked/", relativeTo: "/")

    let files = try await PictureFolder().contents(of: linked).files

    #expect(files.map(\.path) == ["a.jpg"])
  }

  @Test(.enabled(if: getuid() != 0))
  func `a folder that must not be read is reported`() async throws {
    try make("photos/closed")
    try write("photos/a.jpg")
    chmod("\(scratch.path)/photos/closed", 0)
    defer { chmod("\(scratch.path)/photos/closed", 0o700) }

    let contents = try await contents()

    #expect(contents.files.map(\.path) == ["a.jpg"])
    #expect(contents.flaws == [.unreadableFolders(1, first: "closed")])
  }

  @Test func `folders beyond the depth limit are reported`() async throws {
    let deep = Array(repeating: "d", count: FileLimits.folderDepth).joined(separator: "/")
    try make("photos/\(deep)")
    try write("photos/\(deep)/x.jpg")
    try write("photos/\(deep.dropLast(2))/y.jpg")

    let contents = try await contents()

    #expect(contents.files.map(\.path) == ["\(deep.dropLast(2))/y.jpg"])
    #expect(contents.flaws == [.unreadableFolders(1, first: deep)])
  }

  @Test func `a name that is not UTF-8 is reported`() async throws {
    let path = Array("\(scratch.path)/photos/".utf8) + [0xE9] + Array(".jpg".utf8) + [0]
    let file = path.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { creat($0.baseAddress!, 0o600) }
    }
    // Some file systems refuse such a name.
    guard file >= 0 else { return }
    close(file)

    #expect(try await contents().files == [])
    #expect(try await contents().flaws.count == 1)
  }

  @Test func `an explanation names what is left out, with the reason`() async throws {
    for name in ["b", ".git", "@eaDir", "library"] { try make("photos/\(name)") }
    for name in ["b/a.jpg", "b/notes.txt", ".hidden.jpg", "library/gallery.sqlite"] {
      try write("photos/\(name)")
    }
    link("photos/inside.jpg", to: "b/a.jpg")
    #expect(mkfifo("\(scratch.path)/photos/pipe.jpg", 0o600) == 0)

    let contents = try await PictureFolder().contents(of: folder, explains: true)

    #expect(contents.files.map(\.path) == ["b/a.jpg"])
    #expect(
      contents.passed.map { "\($0.place) \($0.address) \($0.reason)" }.sorted() == [
        "file .hidden.jpg hidden", "file b/notes.txt otherName", "file inside.jpg symbolicLink",
        "file pipe.jpg specialFile", "folder .git hidden", "folder @eaDir systemFolder",
        "folder library/ copies",
      ]
    )
    #expect(contents.flaws == [])
    #expect(try await self.contents().passed == [])
  }

  // MARK: Reading

  @Test func `a picture is read with its hash and its size`() async throws {
    try write("photos/a.png")

    let content = try await read("a.png")

    guard case .picture(let sha256, let info, _) = content else {
      Issue.record("\(content)")
      return
    }
    #expect(sha256 == (try SHA256.digits(of: PictureBytes.png, path: "")))
    #expect(info.format == .png && info.bytes == PictureBytes.png.count)
  }

  @Test func `a file with the name of a picture and other content is not a picture`() async throws {
    try write("photos/a.jpg", Array("<html>no</html>".utf8))
    try write("photos/b.jpg", [])

    #expect(try await read("a.jpg") == .notAPicture)
    #expect(try await read("b.jpg") == .notAPicture)
  }

  @Test func `a picture that ends early and has just been written is still arriving`() async throws
  {
    let part = Array(PictureBytes.png.dropLast(8))
    try write("photos/new.png", part, at: 1_990)
    try write("photos/old.png", part, at: 1_000)

    #expect(try await read("new.png") == .unreadable)
    guard case .picture = try await read("old.png") else {
      Issue.record("an old file is as it is")
      return
    }
  }

  @Test func `a link that takes the place of a file or of its folder is not read`() async throws {
    try make("photos/b")
    try make("outside")
    try write("outside/a.png")
    try write("photos/a.png")
    try write("photos/b/a.png")
    let files = try await contents().files
    try FileManager.default.removeItem(atPath: "\(scratch.path)/photos/a.png")
    try FileManager.default.removeItem(atPath: "\(scratch.path)/photos/b")
    link("photos/a.png", to: "../outside/a.png")
    link("photos/b", to: "../outside")

    for file in files {
      #expect(await PictureFolder().read(file, in: folder) == .unreadable)
    }
    #expect(files.count == 2)
  }

  // MARK: Originals

  @Test func `the original is the file itself`() async throws {
    try write("photos/a.png")

    let found = try #require(try await original("a.png").found(in: folder))

    #expect(found.path == "\(scratch.path)/photos/a.png")
    #expect(found.isInPlace && found.isRight)
  }

  @Test func `a file with the same content and another time is the original`() async throws {
    try write("photos/a.png", at: 1_000)
    let known = try await original("a.png")
    try write("photos/a.png", at: 2_000)

    #expect(try known.found(in: folder)?.path == "\(scratch.path)/photos/a.png")
  }

  @Test func `a file with other content, a missing one, and a link are not the original`()
    async throws
  {
    try write("photos/a.png", at: 1_000)
    let known = try await original("a.png")
    let path = "\(scratch.path)/photos/a.png"

    try write("photos/a.png", PictureBytes.png.map { $0 ^ 1 }, at: 2_000)
    #expect(try known.found(in: folder) == nil)
    try write("photos/a.png", PictureBytes.png + [0], at: 3_000)
    #expect(try known.found(in: folder) == nil)
    try FileManager.default.removeItem(atPath: path)
    #expect(try known.found(in: folder) == nil)
    try write("outside.png")
    link("photos/a.png", to: "../outside.png")
    #expect(try known.found(in: folder) == nil)
  }

  @Test func `the bytes are those of the file that was checked, whatever has its path by now`()
    async throws
  {
    try make("photos/b")
    try make("outside")
    try write("photos/b/a.png")
    try write("outside/a.png", PictureBytes.gif)
    let found = try #require(try await original("b/a.png").found(in: folder))
    try FileManager.default.removeItem(atPath: "\(scratch.path)/photos/b")
    link("photos/b", to: "../outside")

    let file = try #require(found.file)
    var bytes = [UInt8](repeating: 0, count: PictureBytes.png.count + 1)
    let count = pread(file.descriptor, &bytes, bytes.count, 0)

    #expect(Array(bytes[..<max(count, 0)]) == PictureBytes.png)
    #expect(found.picture == .opened(file))
  }

  @Test func `a file that is read whole is still read from its beginning`() async throws {
    try write("photos/a.png", at: 1_000)
    let known = try await original("a.png")
    try write("photos/a.png", at: 2_000)

    let file = try #require(try known.found(in: folder)?.file)
    var byte: [UInt8] = [0]

    #expect(pread(file.descriptor, &byte, 1, 0) == 1)
    #expect(byte[0] == PictureBytes.png[0])
    #expect(file.changed == (2_000, 0))
  }

  @Test(arguments: ["a.png", "b/a.png", "b/c/a.png"])
  func `a file is opened through folders, and not through a link to one`(path: String) throws {
    try make("photos/b/c")
    try make("outside/c")
    for name in ["photos/\(path)", "outside/a.png", "outside/c/a.png"] { try write(name) }
    #expect(PictureFolder.open(path, in: scratch.path + "/photos/") != nil)
    guard path.contains("/") else { return }
    try FileManager.default.removeItem(atPath: "\(scratch.path)/photos/b")
    link("photos/b", to: "../outside")

    #expect(PictureFolder.open(path, in: scratch.path + "/photos/") == nil)
  }

  @Test(arguments: ["../outside.png", "a/../../outside.png", "a//b.png", "./a.png", ""])
  func `a path that leads out of the folder is not opened`(path: String) throws {
    try write("outside.png")
    try write("photos/a.png")

    #expect(PictureFolder.open(path, in: scratch.path + "/photos/") == nil)
  }
}

extension PictureFolder.Patience {
  /// Longer than a busy machine delays a look at a folder.
  fileprivate static var ofTests: PictureFolder.Patience {
    var patience = PictureFolder.Patience()
    (patience.ofList, patience.ofSync) = (.seconds(600), .seconds(600))
    return patience
  }
}
