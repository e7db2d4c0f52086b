import Foundation
import Glibc
import Models
import TestSupport
import Testing
import Workers

@testable import LibraryFiles

/// The watch of folders, which tells from a queue of its own.
@Suite(.timeLimit(.minutes(60)))
struct PictureFolderWatchTests {
  private let scratch: ScratchFolder
  private let folder: WebAddress
  private let changes: AsyncStream<WebAddress>
  private let watch: PictureFolderWatch

  init() throws {
    scratch = try ScratchFolder()
    folder = WebAddress(filePath: scratch.path + "/photos/", relativeTo: "/")
    let (changes, teller) = AsyncStream<WebAddress>.makeStream()
    self.changes = changes
    watch = PictureFolderWatch { teller.yield($0) }
    try make("photos")
  }

  private func make(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/\(name)",
      withIntermediateDirectories: true
    )
  }

  private func write(_ name: String) throws {
    try Data(PictureBytes.png).write(to: URL(filePath: "\(scratch.path)/\(name)"))
  }

  /// Waits for the next change.
  private func change() async -> WebAddress? { await changes.first { _ in true } }

  @Test func `a folder is watched, and its changes are told`() async throws {
    #expect(await watch.watch(folder) == .watched(isNew: true))
    #expect(await watch.watch(folder) == .watched(isNew: false))

    try write("photos/a.png")

    #expect(await change() == folder)
  }

  @Test func `a missing folder is watched once it is there`() async throws {
    let other = WebAddress(filePath: scratch.path + "/other/", relativeTo: "/")

    #expect(await watch.watch(other) == .missing)
    try make("other")
    #expect(await watch.watch(other) == .watched(isNew: true))
    try write("other/a.png")
    #expect(await change() == other)
  }

  @Test func `a folder that takes the place of another is watched anew`() async throws {
    #expect(await watch.watch(folder) == .watched(isNew: true))
    #expect(rename("\(scratch.path)/photos", "\(scratch.path)/old") == 0)
    try make("photos")

    #expect(await change() == folder)
    #expect(await watch.watch(folder) == .watched(isNew: true))
  }

  @Test func `a folder that is away for a moment is told when it is back`() async throws {
    #expect(await watch.watch(folder) == .watched(isNew: true))
    #expect(rename("\(scratch.path)/photos", "\(scratch.path)/away") == 0)
    #expect(await change() == folder)
    #expect(await watch.watch(folder) == .missing)

    try make("other")
    #expect(rename("\(scratch.path)/away", "\(scratch.path)/photos") == 0)

    #expect(await change() == folder)
    #expect(await watch.watch(folder) == .watched(isNew: true))
    try write("photos/a.png")
    #expect(await change() == folder)
  }

  @Test func `a folder that is not there yet is told when it is made`() async throws {
    let other = WebAddress(filePath: scratch.path + "/other/", relativeTo: "/")
    #expect(await watch.watch(other) == .missing)
    #expect(await watch.watch(other) == .missing)

    try make("other")

    #expect(await change() == other)
    #expect(await watch.watch(other) == .watched(isNew: true))
  }

  @Test func `a folder is awaited again after the folder above it was gone`() async throws {
    let other = WebAddress(filePath: scratch.path + "/above/other/", relativeTo: "/")
    try make("above")
    #expect(await watch.watch(other) == .missing)
    #expect(rmdir("\(scratch.path)/above") == 0)
    #expect(await watch.watch(other) == .missing)
    try make("above")
    #expect(await watch.watch(other) == .missing)

    try make("above/other")

    #expect(await change() == other)
    #expect(await watch.watch(other) == .watched(isNew: true))
  }

  @Test(arguments: [Duration.zero, .seconds(10_000)])
  func `a folder that a limit keeps from being watched is tried again later`(
    interval: Duration
  ) async throws {
    let isLimited = Locked(true)
    let limited = PictureFolderWatch(
      retryInterval: interval,
      begin: { (path) throws(FolderWatchProblem) in
        if isLimited.withLock({ $0 }) { throw .limit("fs.inotify.max_user_watches") }
        return try WatchedTree(path)
      },
      whenChanged: { _ in }
    )
    let refused = FolderWatchStatus.unwatched(.limit("fs.inotify.max_user_watches"))
    #expect(await limited.watch(folder) == refused)
    #expect(await limited.watch(folder) == refused)

    isLimited.withLock { $0 = false }

    let isTooSoon = interval > .zero
    #expect(await limited.watch(folder) == (isTooSoon ? refused : .watched(isNew: true)))
  }

  @Test func `a path that leads somewhere else is noticed without an event`() async throws {
    try make("first")
    try make("second")
    #expect(symlink("first", "\(scratch.path)/link") == 0)
    let linked = WebAddress(filePath: scratch.path + "/link/", relativeTo: "/")
    #expect(await watch.watch(linked) == .watched(isNew: true))

    #expect(unlink("\(scratch.path)/link") == 0)
    #expect(symlink("second", "\(scratch.path)/link") == 0)

    #expect(await watch.watch(linked) == .watched(isNew: true))
    try write("second/a.png")
    #expect(await change() == linked)
  }

  @Test func `a folder in a watched folder can be watched, too`() async throws {
    try make("photos/trip")
    let trip = WebAddress(filePath: scratch.path + "/photos/trip/", relativeTo: "/")
    #expect(await watch.watch(folder) == .watched(isNew: true))
    #expect(await watch.watch(trip) == .watched(isNew: true))

    try write("photos/trip/a.png")

    var told: Set<WebAddress> = []
    for await change in changes where told.insert(change).inserted && told.count == 2 { break }
    #expect(told == [folder, trip])
  }

  @Test func `a folder that is not watched any more can be watched again`() async throws {
    #expect(await watch.watch(folder) == .watched(isNew: true))
    watch.unwatch(folder)

    #expect(await watch.watch(folder) == .watched(isNew: true))
    try write("photos/a.png")
    #expect(await change() == folder)
  }
}
