import Glibc
import Imaging
import Models
import Testing
import Workers

struct PoolTests {
  @Test func `nothing is started before a picture needs it`() {
    let test = TestPool()
    test.pool.shutDown()

    #expect(test.processes.isEmpty)
  }

  @Test func `every protection holds on this kernel, or its lack is told`() async throws {
    let test = TestPool()
    _ = try await test.pool.inspect(.bytes(Picture.png))
    let decoder = try #require(test.started.withLock { $0.first })

    // Landlock can be disabled at boot; the other protections are always available.
    let landlock: Set<DecoderProtection> = [.noFiles, .noPorts]
    #expect(decoder.held.union(landlock) == Set(DecoderProtection.allCases))
    #expect(decoder.library.hasPrefix("libvips 8."))
  }

  @Test func `pictures are decoded at the same time, in no more processes than allowed`()
    async throws
  {
    let test = TestPool(processes: 2)
    let widths = try await thumbnails(40, in: test.pool)

    #expect(widths == (1...40).map { min($0, 32) })
    #expect((1...2).contains(test.processes.count))
  }

  @Test func `nothing is left when the pool is shut down`() async throws {
    let test = TestPool(processes: 2)
    _ = try await thumbnails(8, in: test.pool)
    test.pool.shutDown()

    #expect(!test.processes.isEmpty)
    #expect(!test.processes.contains(where: TestPool.isThere))
    await #expect(throws: ImagingError.cancelled) {
      try await test.pool.inspect(.bytes(Picture.png))
    }
  }

  @Test func `killing decoders changes nothing but the time it takes`() async throws {
    let test = TestPool(processes: 2)
    var widths: [Int?] = []
    for side in 1...30 {
      async let first = test.pool.thumbnail(of: .bytes(Picture.png), longestSide: side)
      async let second = test.pool.thumbnail(of: .bytes(Picture.tiff), longestSide: side)
      // The decoder may be starting, decoding or waiting.
      if side % 3 == 0, let process = test.processes.last, TestPool.isThere(process) {
        kill(pid_t(process), SIGKILL)
      }
      widths += try await [first.info.width, second.info.width]
    }

    #expect(widths == (1...30).flatMap { [min($0, 32), min($0, 32)] })
    #expect(test.processes.count > 2)
  }

  @Test func `a cancelled picture is not waited for`() async throws {
    let test = TestPool(processes: 1)
    let task = Task { try await test.pool.inspect(.bytes(Picture.png)) }
    task.cancel()
    let result = await task.result

    // The decoder may have finished before the cancellation.
    if case .failure(let error) = result { #expect(error as? ImagingError == .cancelled) }
    #expect(try await test.pool.inspect(.bytes(Picture.png)).width == 32)
  }

  private func thumbnails(_ count: Int, in pool: ImageDecoderPool) async throws -> [Int?] {
    try await withThrowingTaskGroup(of: (Int, Int?).self) { group in
      for side in 1...count {
        group.addTask {
          (side, try await pool.thumbnail(of: .bytes(Picture.png), longestSide: side).info.width)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}
