import Foundation
import Glibc
import Models
import TestSupport
import Testing
import Threading
import Workers

@testable import LibraryFiles

/// What the kernel tells of changes in a folder of pictures, on a real disk.
///
/// A change is told before the system call that makes it returns, so no test waits for one. The close of a written file
/// is told when its last descriptor is closed.
struct WatchedTreeTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try make("photos/trip")
  }

  private var root: String { scratch.path + "/photos/" }

  private func make(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/\(name)",
      withIntermediateDirectories: true
    )
  }

  private func write(_ name: String, _ bytes: [UInt8] = PictureBytes.png) throws {
    let file = open("\(scratch.path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
    close(file)
    ChildProcess.waitForWriters(of: "\(scratch.path)/\(name)")
  }

  private func move(_ name: String, to target: String) {
    #expect(rename("\(scratch.path)/\(name)", "\(scratch.path)/\(target)") == 0)
  }

  private func tree() throws -> WatchedTree { try #require(try WatchedTree(root)) }

  /// Whether the changes since the last call may be changes of pictures.
  private func isChanged(_ tree: inout WatchedTree) throws -> Bool {
    var isChanged = false
    for event in tree.inotify.events() { isChanged = try tree.take(event) || isChanged }
    return isChanged
  }

  @Test(arguments: ["photos/a.jpg", "photos/trip/b.PNG"])
  func `a new, changed, renamed or deleted picture is a change`(name: String) throws {
    var tree = try tree()
    #expect(try !isChanged(&tree))

    try write(name)
    #expect(try isChanged(&tree))
    try write(name)
    #expect(try isChanged(&tree))
    move(name, to: "photos/other.jpg")
    #expect(try isChanged(&tree))
    #expect(unlink(root + "other.jpg") == 0)
    #expect(try isChanged(&tree))
    #expect(try !isChanged(&tree))
  }

  @Test func `a picture counts when it is closed`() throws {
    var tree = try tree()
    let file = open(root + "a.png", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)

    #expect(try !isChanged(&tree))
    #expect(Glibc.write(file, PictureBytes.png, PictureBytes.png.count) > 0)
    #expect(try !isChanged(&tree))
    close(file)
    ChildProcess.waitForWriters(of: root + "a.png")
    #expect(try isChanged(&tree))
  }

  @Test func `another name of a file counts, although nobody writes it`() throws {
    try write("a.png")
    var tree = try tree()

    #expect(Glibc.link("\(scratch.path)/a.png", root + "a.png") == 0)

    #expect(try isChanged(&tree))
  }

  @Test func `other permissions count, because the file may be readable now`() throws {
    try write("photos/a.png")
    var tree = try tree()

    chmod(root + "a.png", 0o400)

    #expect(try isChanged(&tree))
  }

  @Test(arguments: [
    "notes.txt", ".hidden.jpg", "._a.jpg", "a.jpg.part", "trip/thumbs.db", "gallery.sqlite",
  ])
  func `other files, and hidden ones, do not count`(name: String) throws {
    var tree = try tree()

    try write("photos/\(name)")
    #expect(unlink(root + name) == 0)

    #expect(try !isChanged(&tree))
  }

  @Test func `reading does not count`() throws {
    try write("photos/a.png")
    var tree = try tree()

    _ = try Data(contentsOf: URL(filePath: root + "a.png"))
    _ = try FileManager.default.contentsOfDirectory(atPath: root)

    #expect(try !isChanged(&tree))
  }

  @Test func `folders that are made later are watched, with those that are in them already`() throws
  {
    var tree = try tree()

    try make("photos/new/deep")
    #expect(try isChanged(&tree))
    try write("photos/new/deep/a.jpg")
    #expect(try isChanged(&tree))
  }

  @Test func `a folder that is moved in is watched, and one that is moved out is not`() throws {
    try make("outside/below")
    var tree = try tree()

    move("outside", to: "photos/inside")
    #expect(try isChanged(&tree))
    try write("photos/inside/below/a.jpg")
    #expect(try isChanged(&tree))
    move("photos/inside", to: "outside")
    #expect(try isChanged(&tree))
    try write("outside/below/b.jpg")
    #expect(try !isChanged(&tree))
  }

  @Test func `a renamed folder is watched under its new name`() throws {
    try make("photos/trip/below")
    var tree = try tree()

    move("photos/trip", to: "photos/renamed")
    #expect(try isChanged(&tree))
    // A folder that is made in it is opened by its path.
    try make("photos/renamed/below/new")
    #expect(try isChanged(&tree))
    try write("photos/renamed/below/new/a.jpg")
    #expect(try isChanged(&tree))
  }

  @Test func `a folder that is moved into a new one at once is watched there`() throws {
    try make("photos/trip/below")
    var tree = try tree()

    try make("photos/new")
    move("photos/trip", to: "photos/new/trip")
    #expect(try isChanged(&tree))
    try make("photos/new/trip/below/later")
    #expect(try isChanged(&tree))
    for name in ["trip/a.jpg", "trip/below/b.jpg", "trip/below/later/c.jpg"] {
      try write("photos/new/\(name)")
      #expect(try isChanged(&tree))
    }
    move("photos/new/trip", to: "trip")
    #expect(try isChanged(&tree))
    try write("trip/d.jpg")
    #expect(try !isChanged(&tree))
  }

  @Test func `a deleted folder can be made again`() throws {
    var tree = try tree()

    #expect(rmdir(root + "trip") == 0)
    #expect(try isChanged(&tree))
    try make("photos/trip")
    #expect(try isChanged(&tree))
    try write("photos/trip/a.jpg")
    #expect(try isChanged(&tree))
  }

  @Test(arguments: [".thumbnails", "@eaDir", "lost+found"])
  func `folders that are not searched do not count`(name: String) throws {
    try make("photos/\(name)")
    var tree = try tree()

    try write("photos/\(name)/a.jpg")
    try make("photos/\(name)/below")
    #expect(rmdir("\(root)\(name)/below") == 0)

    #expect(try !isChanged(&tree))
  }

  @Test func `a library and an export below do not count, also once they become such`() throws {
    try make("photos/export/.gallery-export")
    var tree = try tree()
    try write("photos/export/a.jpg")
    #expect(try !isChanged(&tree))

    try make("photos/library")
    #expect(try isChanged(&tree))
    try write("photos/library/gallery.sqlite")
    #expect(try isChanged(&tree))
    try write("photos/library/a.jpg")
    #expect(try !isChanged(&tree))
  }

  @Test func `a link to a folder is not followed`() throws {
    try make("outside")
    var tree = try tree()

    #expect(symlink("../outside", root + "linked") == 0)
    _ = try isChanged(&tree)
    try write("outside/a.jpg")

    #expect(try !isChanged(&tree))
  }

  @Test func `a folder that is moved, deleted or replaced has to be watched anew`() throws {
    var moved = try tree()
    move("photos", to: "elsewhere")
    #expect(try isChanged(&moved))
    #expect(moved.isLost)

    try make("photos")
    var deleted = try tree()
    #expect(deleted.identity != moved.identity)
    #expect(rmdir(scratch.path + "/photos") == 0)
    #expect(try isChanged(&deleted))
    #expect(deleted.isLost)
    #expect(try WatchedTree(root) == nil)
  }

  @Test(.enabled(if: getuid() != 0))
  func `a folder that becomes readable is watched`() throws {
    chmod(root + "trip", 0)
    var tree = try tree()

    chmod(root + "trip", 0o700)
    #expect(try isChanged(&tree))
    try write("photos/trip/a.jpg")
    #expect(try isChanged(&tree))
  }

  @Test func `more changes than the kernel keeps have the folder watched anew`() throws {
    var tree = try tree()
    let most = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let limit = try #require(Int(most.split(separator: "\n").first ?? ""))
    // A system with a very long queue has no overflow here.
    guard limit <= 100_000 else { return }
    try write("photos/a.jpg")

    // The kernel joins an event with the same one before it.
    for number in 0...limit / 2 + 1 {
      let names = number.isMultiple(of: 2) ? ("a.jpg", "b.jpg") : ("b.jpg", "a.jpg")
      #expect(rename(root + names.0, root + names.1) == 0)
    }
    var isChanged = false
    while !tree.isLost {
      let events = tree.inotify.events()
      if events.isEmpty { break }
      for event in events { isChanged = try tree.take(event) || isChanged }
    }

    #expect(isChanged && tree.isLost)
  }
}
