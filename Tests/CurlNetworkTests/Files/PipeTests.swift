import Foundation
import Glibc
import Models
import TestSupport
import Testing
import Workers

@testable import CurlNetwork

@Suite(.timeLimit(.minutes(60)))
struct PipeTests {
  private let pipe = Pipe()
  private let address = WebAddress(pipe: 1)

  private var worker: NetworkWorker {
    NetworkWorker(
      userAgent: "test",
      pipes: [address: pipe.fileHandleForReading.fileDescriptor]
    )
  }

  private func request(byteLimit: Int = 1 << 20) -> NetworkRequest {
    NetworkRequest(address: address, reach: .typed, byteLimit: byteLimit)
  }

  private func write(_ text: String) throws {
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  @Test func `reads what comes, to its end`() async throws {
    let response = try await worker.open(request())
    let before = response.body.hasNext
    try write("one")
    let first = try await response.body.next()
    try write("two")
    try pipe.fileHandleForWriting.close()
    let second = try await response.body.next()
    let end = try await response.body.next()

    #expect(!before)
    #expect(response.header.status == 200)
    #expect(response.header.validators.isEmpty)
    #expect([first, second, end] == [Array("one".utf8), Array("two".utf8), nil])
  }

  @Test func `waits without holding a thread, and ends with its task`() async throws {
    let response = try await worker.open(request())
    let reading = Task { try await response.body.next() }
    reading.cancel()

    await #expect(throws: NetworkError.self) { try await reading.value }
  }

  @Test func `takes no more than is allowed`() async throws {
    let response = try await worker.open(request(byteLimit: 3))
    try write("four")

    do {
      _ = try await response.body.next()
      Issue.record("it took more")
    } catch {
      #expect(error.reason == .tooLarge(limit: 3))
    }
  }

  @Test func `is there only for the address that it was given`() async throws {
    let other = NetworkRequest(address: WebAddress(pipe: 2), reach: .typed, byteLimit: 1)

    await #expect(throws: NetworkError.self) { _ = try await worker.open(other) }
  }
}
