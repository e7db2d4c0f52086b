import Foundation
import Glibc
import TestSupport
import Testing
import Workers

@testable import LibraryFiles

struct FileLockTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `leaves a file for the next one, which names no process`() throws {
    let path = folder.path + "/lock"
    let first = try #require(try FileLock.take(path))
    first.write(LockHolder(process: 1_234_567, since: .first).text)
    let refused = try FileLock.take(path)
    let holder = LockHolder(text: FileLock.text(of: path))
    first.release()
    let next = try FileLock.take(path)

    #expect(refused == nil)
    #expect(holder == LockHolder(process: 1_234_567, since: .first))
    #expect(next != nil)
    #expect(LockHolder(text: FileLock.text(of: path)) == nil)
    #expect(try FileLock.take(path) == nil)
  }

  @Test func `keeps nothing of a longer text before it`() throws {
    let path = folder.path + "/lock"
    let lock = try #require(try FileLock.take(path))
    lock.write(LockHolder(process: 1_234_567, since: .second).text)
    lock.write(LockHolder(process: 7, since: .first).text)

    #expect(LockHolder(text: FileLock.text(of: path)) == LockHolder(process: 7, since: .first))
  }

  @Test func `is taken where another program deletes its file`() throws {
    let path = folder.path + "/lock"
    let first = try #require(try FileLock.take(path))
    try FileManager.default.removeItem(atPath: path)

    #expect(try FileLock.take(path) != nil)
    first.release()
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func `is never two's at once`() async throws {
    let path = folder.path + "/lock"
    let inside = Locked((now: 0, most: 0, times: 0))

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...4 {
        group.addTask {
          for _ in 1...500 {
            guard let lock = try FileLock.take(path) else { continue }
            inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.times + 1) }
            inside.withLock { $0.now -= 1 }
            lock.release()
          }
        }
      }
      try await group.waitForAll()
    }

    #expect(inside.withLock { $0.most } == 1)
    #expect(inside.withLock { $0.times } > 0)
  }

  @Test func `is seen while others end`() async throws {
    let path = folder.path + "/lock"
    let lock = try #require(try FileLock.take(path))
    let others = try (0..<600).map { try #require(try FileLock.take("\(path)\($0)")) }

    let looks = await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for other in others { other.release() }
      }
      return (0..<100).map { _ in FileLock.held(among: ["\(path)s", path]) }
    }

    #expect(looks == Array(repeating: [path], count: looks.count))
    lock.release()
    #expect(FileLock.held(among: [path]) == [])
  }

  /// A program that is just being started has a copy of every open file for a moment (posix_spawn(3)).
  @Test(arguments: HeldFile.allCases)
  func `ends with its holder, also when a starting program has a copy of its file`(
    _ kind: HeldFile
  ) async throws {
    let library = LibraryFolder(folder.path)
    for path in [library.partial, library.thumbnails] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    var holder: AnyObject? = try await kind.hold(in: library)
    let copies = try OpenFiles.copies(of: kind.path(in: library))
    defer { for copy in copies { close(copy) } }
    let whileHeld = try kind.isFree(in: library)
    withExtendedLifetime(holder) {}
    holder = nil

    #expect(copies.count == 1)
    #expect(!whileHeld)
    #expect(try kind.isFree(in: library))
  }

  /// What a process may hold a lock on, besides a lock file.
  enum HeldFile: CaseIterable {
    case export, original, pack, partial, reservation

    func path(in library: LibraryFolder) -> String {
      switch self {
      case .export: library.path + "/export"
      case .original: library.path + "/original"
      case .pack: library.pack(1)
      case .partial, .reservation: library.partial(imageID: 1)
      }
    }

    func hold(in library: LibraryFolder) async throws -> AnyObject {
      switch self {
      case .export:
        try GuardedFolder.makeFolders(path(in: library))
        return try GuardedFolder.open(path(in: library))
      case .original:
        try Data("picture".utf8).write(to: URL(filePath: path(in: library)))
        return try #require(await OriginalHold.showing(path(in: library)).hold)
      case .pack:
        return try #require(try PackFile.make(1, in: library))
      case .partial, .reservation:
        let file = try await PartialFile.open(path(in: library))
        try file.reserve(100)
        return file
      }
    }

    func isFree(in library: LibraryFolder) throws -> Bool {
      switch self {
      case .export:
        do {
          _ = try GuardedFolder.open(path(in: library))
          return true
        } catch SiteExportError.busy { return false }
      case .original: return !OriginalHold.isShown(path(in: library))
      case .pack: return try PackFile.open(1, in: library) != nil
      case .partial: return !PartialFile.isBeingWritten(path(in: library))
      case .reservation: return PartialFile.reservedBytes(at: path(in: library)) == 0
      }
    }
  }

  @Test func `knows no holder from a file that no process has written yet`() {
    #expect(LockHolder(text: "") == nil)
    #expect(LockHolder(text: "47") == nil)
    #expect(LockHolder(text: "47 eleven") == nil)
    let holder = LockHolder(process: 47, since: .first)
    #expect(LockHolder(text: holder.text) == holder)
  }
}

extension Date {
  fileprivate static let first = Date(timeIntervalSince1970: 1_700_000_000)
  fileprivate static let second = Date(timeIntervalSince1970: 1_700_003_600)
}

/// The open files of this process (proc_pid_fd(5)).
private enum OpenFiles {
  /// Copies of the descriptors of the file at a path, each to be closed.
  static func copies(of path: String) throws -> [Int32] {
    let held = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
      let link = "/proc/self/fd/\(name)"
      return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == path
    }
    // Only then, since a copy gets the number of the listing's own descriptor.
    return held.compactMap { name in Int32(name).map { fcntl($0, F_DUPFD_CLOEXEC, 0) } }
  }
}
