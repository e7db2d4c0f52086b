import Foundation
import Models
import TestSupport
import Testing
import Workers

@testable import LibraryFiles

struct OriginalCopierTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
  private let bytes = Array("an original".utf8)

  private func library(_ name: String, in parent: String? = nil) -> LibraryFolder {
    LibraryFolder("\(parent ?? folder)/\(name)")
  }

  private func path(in library: LibraryFolder, _ hash: SHA256Digest) -> String {
    library.original(sha256: hash.hexadecimal, fileExtension: ImageFormat.png.fileExtension)
  }

  private func store(_ bytes: [UInt8], as hash: SHA256Digest, in library: LibraryFolder) throws {
    let url = URL(filePath: path(in: library, hash))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(bytes).write(to: url)
  }

  @Test func `links a file, and finds it there the next time`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (source, target) = (library("a"), library("b"))
    let hash = try SHA256.digest(of: bytes, path: "")
    try store(bytes, as: hash, in: source)
    let copier = OriginalCopier(from: source, to: target)

    #expect(try copier.copy(hash, .png, bytes: bytes.count) == .linked)
    #expect(try copier.copy(hash, .png, bytes: bytes.count) == .wasThere)
    try copier.settle()

    #expect(try Data(contentsOf: URL(filePath: path(in: target, hash))) == Data(bytes))
  }

  @Test func `a backup has a file of its own, with the content that the hash names`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (source, target) = (library("a"), library("b"))
    let hash = try SHA256.digest(of: bytes, path: "")
    try store(bytes, as: hash, in: source)
    let other = try SHA256.digest(of: [2], path: "")
    try store([3], as: other, in: source)
    let date = Date(timeIntervalSince1970: 1_000_000)
    let original = path(in: source, hash)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: original)
    let copier = OriginalCopier(from: source, to: target, links: false)

    #expect(try copier.copy(hash, .png, bytes: bytes.count) == .copied)
    #expect(FileSystem.age(of: path(in: target, hash), now: date) == 0)
    #expect(try copier.copy(other, .png, bytes: 1) == .damaged)
    try copier.settle()
    try Data([9]).write(to: URL(filePath: path(in: source, hash)))

    #expect(try copier.copy(hash, .png, bytes: bytes.count) == .wasThere)
    #expect(try Data(contentsOf: URL(filePath: path(in: target, hash))) == Data(bytes))
    #expect(!FileManager.default.fileExists(atPath: path(in: target, other)))
  }

  @Test func `replaces a file that is cut`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (source, target) = (library("a"), library("b"))
    let hash = try SHA256.digest(of: bytes, path: "")
    try store(bytes, as: hash, in: source)
    try store([1], as: hash, in: target)

    let copied = try OriginalCopier(from: source, to: target).copy(hash, .png, bytes: bytes.count)

    #expect(copied == .linked)
    #expect(try Data(contentsOf: URL(filePath: path(in: target, hash))) == Data(bytes))
  }

  @Test
  func `a copy that is read gets a whole file in place of a damaged one, and keeps a whole one`()
    throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (source, target) = (library("a"), library("b"))
    let hash = try SHA256.digest(of: bytes, path: "")
    try store(bytes, as: hash, in: source)
    let damaged = bytes.map { $0 ^ 1 }
    func copy(readsAll: Bool) throws -> CopiedOriginal {
      try OriginalCopier(from: source, to: target, links: false, readsAll: readsAll)
        .copy(hash, .png, bytes: bytes.count)
    }
    func copied() throws -> [UInt8] {
      Array(try Data(contentsOf: URL(filePath: path(in: target, hash))))
    }

    try store(damaged, as: hash, in: target)
    #expect(try copy(readsAll: false) == .wasThere)
    #expect(try copied() == damaged)
    #expect(try copy(readsAll: true) == .renewed)
    #expect(try copied() == bytes)
    #expect(try copy(readsAll: true) == .wasThere)

    try store(damaged, as: hash, in: source)
    #expect(try copy(readsAll: true) == .wasThere)
    #expect(try copied() == bytes)
    try store(Array(damaged.reversed()), as: hash, in: target)
    #expect(try copy(readsAll: true) == .damaged)
    #expect(try copied() == damaged.reversed())
    try FileManager.default.removeItem(atPath: path(in: source, hash))
    #expect(try copy(readsAll: true) == .missing)
  }

  @Test func `a file that is cut is replaced only by a whole one`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (source, target) = (library("a"), library("b"))
    let hash = try SHA256.digest(of: bytes, path: "")
    try store(bytes.reversed(), as: hash, in: source)
    try store([1], as: hash, in: target)
    let copier = OriginalCopier(from: source, to: target, links: false)

    #expect(try copier.copy(hash, .png, bytes: bytes.count) == .damaged)

    #expect(try Data(contentsOf: URL(filePath: path(in: target, hash))) == Data([1]))
    try store(bytes, as: hash, in: source)
    #expect(try copier.copy(hash, .png, bytes: bytes.count) == .renewed)
    #expect(try Data(contentsOf: URL(filePath: path(in: target, hash))) == Data(bytes))
  }

  @Test func `says that no whole file is there`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (source, target) = (library("a"), library("b"))
    let hash = try SHA256.digest(of: bytes, path: "")
    let copier = OriginalCopier(from: source, to: target)

    #expect(try copier.copy(hash, .png, bytes: bytes.count) == .missing)
    try store([1], as: hash, in: source)
    #expect(try copier.copy(hash, .png, bytes: bytes.count) == .damaged)
    #expect(!FileManager.default.fileExists(atPath: path(in: target, hash)))
  }

  @Test func `two copies to the same disk do not write into each other's files`() async throws {
    let shared = "/dev/shm/\(UUID().uuidString)"
    defer {
      for path in [folder, shared] { try? FileManager.default.removeItem(atPath: path) }
    }
    let (source, target) = (library("a"), library("b", in: shared))
    let files = try (0..<40).map { (number: UInt8) in
      let bytes = [UInt8](repeating: number, count: 200_000)
      let hash = try SHA256.digest(of: bytes, path: "")
      try store(bytes, as: hash, in: source)
      return (hash, bytes)
    }

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          let copier = OriginalCopier(from: source, to: target)
          for (hash, bytes) in files {
            let copied = try copier.copy(hash, .png, bytes: bytes.count)
            #expect(copied != .missing)
          }
        }
      }
      try await group.waitForAll()
    }

    for (hash, bytes) in files {
      #expect(try Data(contentsOf: URL(filePath: path(in: target, hash))) == Data(bytes))
    }
  }

  /// Whether files in `/dev/shm` can have notes, as they can from Linux 6.6 on.
  private static let sharedHasNotes: Bool = {
    let path = "/dev/shm/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    return (try? Data().write(to: URL(filePath: path))) != nil && (try? Self.note(on: path)) != nil
  }()

  /// Notes on a file where it is from, and reads the note.
  private static func note(on path: String) throws -> OriginOfFile? {
    let address = try #require(WebAddress("https://a.bc/o"))
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try OriginOfFile(imageID: 7, address: address).write(to: file.fileDescriptor)
    try file.close()
    return OriginOfFile(ofFileAt: path)
  }

  @Test(.enabled(if: sharedHasNotes, "this Linux keeps no notes in memory"))
  func `copies the note to which image a file belongs`() throws {
    let shared = "/dev/shm/\(UUID().uuidString)"
    defer {
      for path in [folder, shared] { try? FileManager.default.removeItem(atPath: path) }
    }
    let (source, target) = (library("a"), library("b", in: shared))
    let hash = try SHA256.digest(of: bytes, path: "")
    try store(bytes, as: hash, in: source)
    let note = try Self.note(on: path(in: source, hash))

    let copied = try OriginalCopier(from: source, to: target).copy(hash, .png, bytes: bytes.count)

    #expect(copied == .copied)
    #expect(OriginOfFile(ofFileAt: path(in: target, hash)) == note)
    #expect(note != nil)
  }

  /// `/dev/shm` is a separate file system.
  @Test func `copies to another disk, and only what has the right hash`() throws {
    let shared = "/dev/shm/\(UUID().uuidString)"
    defer {
      for path in [folder, shared] { try? FileManager.default.removeItem(atPath: path) }
    }
    let (source, target) = (library("a"), library("b", in: shared))
    let hash = try SHA256.digest(of: bytes, path: "")
    let other = try SHA256.digest(of: [1], path: "")
    try store(bytes, as: hash, in: source)
    try store(bytes, as: other, in: source)
    let copier = OriginalCopier(from: source, to: target)

    #expect(try copier.copy(hash, .png, bytes: bytes.count) == .copied)
    #expect(try copier.copy(other, .png, bytes: bytes.count) == .damaged)
    try copier.settle()

    #expect(try Data(contentsOf: URL(filePath: path(in: target, hash))) == Data(bytes))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: target.originalsFolder(sha256: other.hexadecimal)
    )
    #expect(names == [])
  }
}
