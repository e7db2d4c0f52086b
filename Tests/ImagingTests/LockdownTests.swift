import Foundation
import Imaging
import Testing
import Workers

/// What the kernel itself says of a decoder that has decoded a picture.
struct LockdownTests {
  let test = TestPool(processes: 1)

  @Test func `the filter of system calls is in place in every thread`() async throws {
    _ = try await test.pool.thumbnail(of: .bytes(EncodedSamples.avif), longestSide: 8)
    let process = try #require(test.processes.first)
    let folder = "/proc/\(process)/task"
    for thread in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let status = try String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)

      #expect(status.contains("\nNoNewPrivs:\t1\n"))
      #expect(status.contains("\nSeccomp:\t2\n"))
    }
  }

  @Test func `its limits hold`() async throws {
    _ = try await test.pool.inspect(.bytes(Picture.png))
    let process = try #require(test.processes.first)
    let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)

    for (name, amount) in [
      ("Max file size", 0), ("Max open files", 16), ("Max core file size", 0),
      ("Max data size", 384 << 20),
    ] {
      let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix(name) })
      let amounts = line.dropFirst(name.count).split(separator: " ").prefix(2)
      #expect(amounts == ["\(amount)", "\(amount)"], "\(line)")
    }
  }

  @Test func `started by hand, it says what it is for`() throws {
    let process = Process()
    process.executableURL = URL(filePath: try #require(TestPool.built.paths.first))
    let errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()

    #expect(process.terminationStatus == 64)
    #expect(String(decoding: text, as: UTF8.self).hasPrefix("gallery-decoder works for gallery"))
  }
}
