import Foundation
import Models
import TestSupport
import Testing
import Workers

@testable import LibraryFiles

/// Notes about a partial file, written while more of the original arrives.
struct PartialNoterTests {
  private let folder: ScratchFolder
  private let version = OriginalVersion(
    address: .at("https://a.bc/a"),
    validators: Validators(entityTag: "\"a\""),
    rangeValidator: "\"a\"",
    total: 9
  )

  init() throws { folder = try ScratchFolder() }

  @Test func `notes one thing after another`() async throws {
    let note = PartialNote(path: folder.path + "/1.note", folder: folder.path)
    let noter = PartialNoter(note, noted: 3)
    #expect(noter.noted == 3)

    for length in 4...6 { try noter.begin(try await open(), noting: kept(length)) }

    #expect(noter.noted == 6)
    #expect(!noter.isAtWork)
    #expect(note.read() == kept(6))
  }

  @Test func `notes nothing of bytes that cannot be resumed`() async throws {
    let note = PartialNote(path: folder.path + "/1.note", folder: folder.path)
    let noter = PartialNoter(note, noted: 0)

    try noter.begin(try await open(), noting: nil)
    try noter.settle()

    #expect(noter.noted == 0)
    #expect(note.read() == nil)
  }

  @Test func `lets go of the file when it is done`() async throws {
    let noter = PartialNoter(
      PartialNote(path: folder.path + "/1.note", folder: folder.path),
      noted: 0
    )
    var file: PartialFile? = try await open()
    weak let held = file
    try file.map { file throws(StoreError) in try noter.begin(file, noting: kept(1)) }
    file = nil
    noter.wait()

    #expect(held == nil)
  }

  @Test func `forgets no failure`() async throws {
    let nowhere = folder.path + "/nowhere"
    let noter = PartialNoter(PartialNote(path: nowhere + "/1.note", folder: nowhere), noted: 3)
    let file = try await open()

    try noter.begin(file, noting: kept(4))

    #expect(throws: StoreError.self) { try noter.settle() }
    #expect(throws: StoreError.self) { try noter.begin(file, noting: kept(5)) }
    #expect(throws: StoreError.self) { try noter.settle() }
    #expect(noter.noted == 3)
  }

  @Test func `hashes pieces in their order, however many wait`() throws {
    let hash = try ArrivalHash(of: folder.path)
    var whole: [UInt8] = []
    for piece in 0..<50 {
      let bytes = [UInt8](repeating: UInt8(piece), count: piece * 100)
      hash.append(bytes)
      whole += bytes
    }

    let digits = try SHA256.digits(of: whole, path: folder.path)
    #expect(hash.digits == digits)
    #expect(hash.digits == digits)
  }

  private func open() async throws -> PartialFile {
    try await PartialFile.open(folder.path + "/1-\(UUID().uuidString)")
  }

  private func kept(_ length: Int) -> KeptOriginal {
    KeptOriginal(version: version, length: length)
  }
}
