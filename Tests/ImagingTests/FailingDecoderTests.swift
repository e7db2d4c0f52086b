import DecoderFrames
import Glibc
import Imaging
import Models
import TestSupport
import Testing
import Workers

struct FailingDecoderTests {
  @Test func `a decoder that crashes costs the picture`() async throws {
    let fake = try FakeDecoder(
      "\(FakeDecoder.greeting)\n\(FakeDecoder.readRequest)\nkill -SEGV $$"
    )
    let test = TestPool(paths: fake.paths)

    await #expect(throws: ImagingError.crashed(signal: Int(SIGSEGV))) {
      try await test.pool.inspect(.bytes(Picture.png))
    }
  }

  @Test func `a decoder that uses up its time says so by its signal`() async throws {
    let fake = try FakeDecoder(
      "\(FakeDecoder.greeting)\n\(FakeDecoder.readRequest)\nkill -PROF $$"
    )
    let test = TestPool(paths: fake.paths)

    await #expect(throws: ImagingError.tooMuchWork(seconds: FrameLimits.processorSeconds)) {
      try await test.pool.inspect(.bytes(Picture.png))
    }
  }

  @Test func `a decoder that does not answer is ended`() async throws {
    let fake = try FakeDecoder("\(FakeDecoder.greeting)\nread never <&0\nread never <&0")
    let test = TestPool(paths: fake.paths, secondsPerPicture: 0)

    await #expect(throws: ImagingError.timedOut(seconds: 0)) {
      try await test.pool.inspect(.bytes(Picture.png))
    }
    #expect(test.processes.count == 1)
    #expect(!test.processes.contains(where: TestPool.isThere))
  }

  @Test func `what another process ends is tried again, but not for ever`() async throws {
    let fake = try FakeDecoder(
      "\(FakeDecoder.greeting)\n\(FakeDecoder.readRequest)\nkill -KILL $$"
    )
    let test = TestPool(paths: fake.paths)

    await #expect(throws: ImagingError.crashed(signal: Int(SIGKILL))) {
      try await test.pool.inspect(.bytes(Picture.png))
    }
    #expect(test.processes.count == 5)
  }

  @Test func `a crash is tried again once when pictures before may have caused it`() async throws {
    let payload = LyingDecoderTests.facts.payload
    let answer = FakeDecoder.say(FakeDecoder.answer(.facts, id: 1, payload))
    let fake = try FakeDecoder(
      """
      \(FakeDecoder.greeting)
      \(FakeDecoder.readRequest)
      \(answer)
      \(FakeDecoder.readRequest)
      kill -SEGV $$
      """
    )
    let test = TestPool(paths: fake.paths, processes: 1)

    #expect(try await test.pool.inspect(.bytes(Picture.png)).width == 32)
    // The new decoder answers request 1, but this is another request.
    await #expect(throws: ImagingError.wrongAnswer) {
      try await test.pool.inspect(.bytes(Picture.png))
    }
    #expect(test.processes.count == 2)
  }

  @Test func `a decoder of another version is not used`() async throws {
    let payload = DecoderGreeting(version: .max, protections: [], library: "").payload
    let hello = FakeDecoder.say(FakeDecoder.answer(.greeting, id: 0, payload))
    let fake = try FakeDecoder("\(hello)\nread never <&0")
    let test = TestPool(paths: fake.paths)
    let message = "\(fake.paths.candidates[0]) is of another version"

    await #expect(throws: ImagingError.cannotStart(message: message)) {
      try await test.pool.inspect(.bytes(Picture.png))
    }
  }

  @Test func `a decoder that cannot start says so`() async throws {
    let fake = try FakeDecoder("exit 1")
    let test = TestPool(paths: fake.paths)
    let message = "\(fake.paths.candidates[0]) ended before it was ready"

    await #expect(throws: ImagingError.cannotStart(message: message)) {
      try await test.pool.inspect(.bytes(Picture.png))
    }
  }

  @Test func `without a decoder, the paths where it may be are named`() async throws {
    let folder = try ScratchFolder()
    let test = TestPool(paths: DecoderPaths(program: "\(folder.path)/bin/gallery"))
    let candidates = [
      "\(folder.path)/bin/gallery-decoder", "\(folder.path)/libexec/gallery/gallery-decoder",
    ]

    await #expect(throws: ImagingError.noDecoder(lookedAt: candidates)) {
      try await test.pool.inspect(.bytes(Picture.png))
    }
  }
}
