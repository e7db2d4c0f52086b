import CurlNetwork
import Foundation
import Models
import Testing
import Workers

@Suite(.timeLimit(.minutes(1)))
struct FileTests {
  private let worker = NetworkWorker.testing()
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `reads a file below the folder`() async throws {
    let request = try folder.request("in/a file.json")

    let reply = try await worker.fetch(request)

    let header = NetworkHeader(status: 200, address: request.address, contentLength: 6)
    #expect(reply == NetworkReply(header: header, body: Array("inside".utf8), wireBytes: 0))
  }

  @Test func `streams a file below the folder`() async throws {
    let response = try await worker.open(try folder.request("in/a file.json"))

    #expect(response.header.contentLength == 6)
    #expect(try await response.body.all() == Array("inside".utf8))
  }

  @Test(arguments: ["in/../out.json", "in/link.json", "in", "in/folder", "in/missing", "in-2/b"])
  func `reads nothing else`(path: String) async throws {
    let failure = await worker.failure(of: try folder.request(path))

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

/// A folder `in` with a file, links and a folder, and files beside it; removed at the end.
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

  func request(_ path: String) throws -> NetworkRequest {
    let escaped = "\(root.path)/\(path)".replacing(" ", with: "%20")
    return NetworkRequest(
      address: try #require(WebAddress("file://\(escaped)")),
      byteLimit: 100,
      fileFolder: root.appending(path: "in").path
    )
  }
}
