import Composition
import Foundation
import HTTPTypes
import Models
import TestSupport
import Testing
import Workers

@testable import gallery_server

/// The signatures by which other galleries know the library.
struct SignedAnswerTests {
  /// Whether an answer is signed under a name, by the key of the library.
  private func isSigned(
    _ answer: ServerBench.Answer,
    _ name: String,
    _ bench: ServerBench
  ) async throws -> Bool {
    #expect(answer.status == 200 && answer.bytes.last == UInt8(ascii: "\n"))
    let signer = try #require(try await bench.root.keys.signer())
    let end = answer.bytes.dropLast().lastIndex(of: UInt8(ascii: "\n"))
    let last = end.map { $0 + 1 } ?? 0
    guard
      let (content, signature) = DocumentSignature.split(Array(answer.bytes[last...].dropLast()))
    else { return false }
    let hash = try signer.hash(of: Array(answer.bytes[..<last]) + content)
    // Signatures of Ed25519 are always the same for the same message.
    let expected = try signer.signature(of: DocumentSignature.message(name, hash: hash))
    return signature == DocumentSignature(key: signer.key, text: expected)
  }

  @Test func `every page of changes is signed, under the cursor of its request`() async throws {
    let bench = try await ServerBench()
    let first = try await bench.ask("/api/v1/changes?limit=5")
    #expect(try await isSigned(first, "changes -", bench))
    let cursor = try #require(first.lines.last?["cursor"] as? String)

    let second = try await bench.ask("/api/v1/changes?since=\(cursor)")
    #expect(try await isSigned(second, "changes \(cursor)", bench))
    #expect(try await !isSigned(second, "changes -", bench))
    let last = try #require(second.lines.last?["cursor"] as? String)
    let nothing = try await bench.ask("/api/v1/changes?since=\(last)&wait=0")
    #expect(try await isSigned(nothing, "changes \(last)", bench))

    let part = try await bench.ask("/api/v1/changes?search=two+words&feed=1")
    #expect(try await isSigned(part, "changes - feed=1 search=two%20words", bench))
    #expect(try await !isSigned(part, "changes -", bench))
    let all = try await bench.ask("/api/v1/changes?search=+&limit=5")
    #expect(try await isSigned(all, "changes -", bench))

    let some = try await bench.ask("/api/v1/changes?types=pin")
    #expect(try await !isSigned(some, "changes -", bench))
    #expect(some.lines.last?["signature"] == nil)
  }

  @Test func `the root of the tree and every node is signed, and a known root stays a 304`()
    async throws
  {
    let bench = try await ServerBench()
    var names = ["root"]
    while let name = names.popLast() {
      let answer = try await bench.ask("/api/v1/tree/\(name)")
      #expect(try await isSigned(answer, "tree \(name)", bench), "\(name)")
      for member in ["feeds", "months", "leaves"] {
        let nodes = answer.json[member] as? [[String: Any]] ?? []
        names += nodes.compactMap { $0["hash"] as? String }
      }
      guard name == "root" else { continue }
      var fields = ServerBench.admin
      fields[.ifNoneMatch] = answer.fields[.eTag]
      #expect(try await bench.ask("/api/v1/tree/root", .get, fields).status == 304)
    }
  }

  @Test func `a library whose key cannot be used answers without signatures`() async throws {
    let bench = try await ServerBench()
    _ = try await bench.root.keys.signer()
    let file = "\(bench.folder)/library/library.key"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)

    let answer = try await bench.ask("/api/v1/changes")

    #expect(answer.status == 200 && answer.lines.last?["cursor"] is String)
    #expect(answer.lines.last?["signature"] == nil)
  }
}
