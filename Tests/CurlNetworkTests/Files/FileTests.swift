import Foundation
import Models
import Testing
import Workers

@testable import CurlNetwork

@Suite(.timeLimit(.minutes(60)))
struct FileTests {
  private let worker = NetworkWorker.testing()
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `reads a file below the folder`() async throws {
    let request = try folder.request("in/a file.json")

    let reply = try await worker.fetch(request)

    #expect(reply.header.status == 200)
    #expect(reply.header.address == request.address)
    #expect(reply.header.contentLength == 6)
    #expect(reply.body == Array("inside".utf8))
    #expect(reply.wireBytes == 0)
  }

  @Test func `reads the files of a group`() async throws {
    let bodies = Locked<[Int: [UInt8]?]>([:])
    let group = await worker.group { number, answer in
      bodies.withLock { $0[number] = .some(try? answer.get().body) }
    }
    group.ask([
      NumberedRequest(number: 1, request: try folder.request("in/a file.json")),
      NumberedRequest(number: 2, request: try folder.request("in/none")),
    ])

    #expect(bodies.withLock { $0 } == [1: Array("inside".utf8), 2: nil])
  }

  @Test func `reads no more files of a group while much of what came is not taken`() async throws {
    let bytes = TransferLimits.untakenBytes / 2
    let answers = Locked<[Bool]>([])
    let group = await group(noting: answers)
    group.ask(try large(bytes))
    let first = answers.withLock { $0.count }
    group.took(bytes: bytes)
    let second = answers.withLock { $0.count }
    group.cancel()

    #expect(first == 2)
    #expect(second == 3)
    let all = answers.withLock { $0 }
    #expect(all == [true, true, true, false, false])
  }

  @Test func `groups share what may wait for their readers`() async throws {
    let answers = Locked<[Bool]>([])
    let groups = [await group(noting: answers), await group(noting: Locked([]))]
    groups[0].ask(try large(TransferLimits.untakenBytes / 2))
    let first = answers.withLock { $0.count }
    groups[0].cancel()

    #expect(first == 1)
    let all = answers.withLock { $0 }
    #expect(all == [true, false, false, false, false])
  }

  /// A group that records whether each answer is a success.
  private func group(noting answers: Locked<[Bool]>) async -> any FetchGroup {
    await worker.group { _, answer in
      answers.withLock { $0.append((try? answer.get()) != nil) }
    }
  }

  /// Five requests for a file of the given size.
  private func large(_ bytes: Int) throws -> [NumberedRequest] {
    try folder.write("in/large", String(repeating: "a", count: bytes))
    var request = try folder.request("in/large")
    request.byteLimit = bytes
    return (1...5).map { NumberedRequest(number: $0, request: request) }
  }

  @Test func `streams a file below the folder`() async throws {
    let response = try await worker.open(try folder.request("in/a file.json"))

    #expect(response.header.contentLength == 6)
    #expect(try await response.body.all() == Array("inside".utf8))
  }

  @Test func `answers that nothing has changed as long as it has not`() async throws {
    var request = try folder.request("in/a file.json")
    let first = try await worker.fetch(request).header
    request.validators = first.validators

    let unchanged = try await worker.fetch(request)
    try folder.write("in/a file.json", "inside again")
    let changed = try await worker.open(request)

    #expect(unchanged.header.status == 304)
    #expect(unchanged.header.validators == first.validators)
    #expect(unchanged.header.modified == first.modified)
    #expect(unchanged.body == [])
    #expect(changed.header.status == 200)
    #expect(try await changed.body.all() == Array("inside again".utf8))
  }

  @Test func `tells a file apart that was written again with the same length`() async throws {
    let request = try folder.request("in/a file.json")
    let first = try await worker.fetch(request).header
    try folder.write("in/a file.json", "edisni", modified: Date(timeIntervalSince1970: 0.25))

    let second = try await worker.fetch(request).header

    #expect(first.validators != second.validators)
    #expect(second.modified == Date(timeIntervalSince1970: 0))
  }

  @Test func `gives the rest of a file that is still the same`() async throws {
    var request = try folder.request("in/a file.json")
    let tag = try #require(try await worker.fetch(request).header.validators.entityTag)
    request.range = NetworkRange(offset: 2, validator: tag)
    request.byteLimit = 4

    let reply = try await worker.fetch(request)
    let response = try await worker.open(request)

    #expect(reply.header.status == 206)
    #expect(reply.header.contentRange == ContentRange(bytes: 2...5, total: 6))
    #expect(reply.header.contentLength == 4)
    #expect(reply.body == Array("side".utf8))
    #expect(try await response.body.all() == Array("side".utf8))
  }

  @Test func `gives all of a file that is another`() async throws {
    var request = try folder.request("in/a file.json")
    request.range = NetworkRange(offset: 2, validator: "\"other\"")

    let reply = try await worker.fetch(request)

    #expect(reply.header.status == 200)
    #expect(reply.header.contentRange == nil)
    #expect(reply.body == Array("inside".utf8))
  }

  @Test func `says that a file has no more than is held`() async throws {
    var request = try folder.request("in/a file.json")
    let tag = try #require(try await worker.fetch(request).header.validators.entityTag)
    request.range = NetworkRange(offset: 6, validator: tag)

    let reply = try await worker.fetch(request)

    #expect(reply.header.status == 416)
    #expect(reply.header.contentRange == ContentRange(bytes: nil, total: 6))
    #expect(reply.body == [])
  }

  @Test func `breaks off when a file becomes shorter while it is read`() async throws {
    let size = 600_000
    try folder.write("in/a file.json", String(repeating: "a", count: size))
    var request = try folder.request("in/a file.json")
    request.byteLimit = size

    let body = try await worker.open(request).body
    _ = try await body.next()
    try folder.truncate("in/a file.json")

    let error = await #expect(throws: NetworkError.self) { try await body.all() }
    #expect(error?.reason == .broken)
  }

  @Test(arguments: ["in/../out.json", "in/link.json", "in", "in/folder", "in/missing", "in-2/b"])
  func `reads nothing else`(path: String) async throws {
    let failure = await worker.failure(of: try folder.request(path))

    #expect(failure?.reason == .unreadableFile)
  }

  @Test func `reads a file whose name begins with a combining mark, and none beside the folder`()
    async throws
  {
    try folder.write("in/\u{301}a.json", "mark")
    try folder.write("in\u{301}.json", "beside")

    let reply = try await worker.fetch(try folder.request("in/\u{301}a.json"))
    let failure = await worker.failure(of: try folder.request("in\u{301}.json"))

    #expect(reply.body == Array("mark".utf8))
    #expect(failure?.reason == .unreadableFile)
  }

  @Test func `follows a link that stays below the folder`() async throws {
    let reply = try await worker.fetch(try folder.request("in/near.json"))

    #expect(reply.body == Array("inside".utf8))
  }

  @Test func `refuses files unless they are asked for`() async throws {
    var request = try folder.request("in/a file.json")
    request.fileFolder = nil

    #expect(await worker.failure(of: request)?.reason == .refused)
  }

  @Test func `refuses files of other machines`() async throws {
    var request = try folder.request("in/a file.json")
    request.address = try #require(WebAddress("file://elsewhere/etc/passwd"))

    #expect(await worker.failure(of: request)?.reason == .refused)
  }

  @Test func `refuses a file that is too large`() async throws {
    var request = try folder.request("in/a file.json")
    request.byteLimit = 5

    #expect(await worker.failure(of: request)?.reason == .tooLarge(limit: 5))
  }
}

/// A folder `in` with a file, links and a folder, and with files next to it; deleted when the test ends.
private final class TestFolder: Sendable {
  private let root: URL

  init() throws {
    let files = FileManager.default
    root = files.temporaryDirectory.appending(path: UUID().uuidString)
    for name in ["in/folder", "in-2"] {
      try files.createDirectory(at: root.appending(path: name), withIntermediateDirectories: true)
    }
    try Data("inside".utf8).write(to: root.appending(path: "in/a file.json"))
    for name in ["out.json", "in-2/b"] { try Data().write(to: root.appending(path: name)) }
    for (name, target) in [("link", "../out.json"), ("near", "a file.json")] {
      let path = root.appending(path: "in/\(name).json").path
      try files.createSymbolicLink(atPath: path, withDestinationPath: target)
    }
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: root)
    } catch {
      Issue.record(error)
    }
  }

  /// Replaces a file with a new one.
  func write(_ path: String, _ text: String, modified: Date? = nil) throws {
    let url = root.appending(path: path)
    try Data(text.utf8).write(to: url, options: .atomic)
    guard let modified else { return }
    try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: url.path)
  }

  func truncate(_ path: String) throws {
    let handle = try FileHandle(forWritingTo: root.appending(path: path))
    try handle.truncate(atOffset: 1)
  }

  func request(_ path: String) throws -> NetworkRequest {
    let escaped = "\(root.path)/\(path)".replacing(" ", with: "%20")
    return NetworkRequest(
      address: try #require(WebAddress("file://\(escaped)")),
      reach: .publicOnly,
      byteLimit: 100,
      fileFolder: root.appending(path: "in").path
    )
  }
}
