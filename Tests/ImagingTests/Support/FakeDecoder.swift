import DecoderFrames
import Foundation
import Glibc
import Imaging

/// Programs that stand where the decoder should, and do not do what it does.
struct FakeDecoder {
  let paths: DecoderPaths

  /// Writes a program whose words of the shell talk over descriptor 0.
  init(_ script: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "gallery-decoder")
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    Self.waitForWriters(of: file.path)
    paths = DecoderPaths(candidates: [file.path])
  }

  /// `F_SETLEASE`, which the overlay lacks.
  private static let setLease: Int32 = 1_024

  /// A process that is being started beside this may hold the file open for writing for a moment,
  /// and it could not be run meanwhile; nor could it be leased (fcntl(2)).
  private static func waitForWriters(of path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    while fcntl(descriptor, setLease, F_RDLCK) != 0 && errno == EAGAIN { sched_yield() }
    close(descriptor)
  }

  /// Words of the shell that say bytes to whoever started it.
  static func say(_ bytes: [UInt8]) -> String {
    let octal = bytes.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
    return "printf '\(octal.joined())' >&0"
  }

  static var greeting: String {
    let payload = DecoderGreeting(protections: [], library: "none").payload
    return say(answer(.greeting, id: 0, payload))
  }

  /// Words of the shell that wait for a request.
  static let readRequest = "head -c \(DecoderRequest.length) <&0 >/dev/null"

  static func answer(_ kind: AnswerKind, id: UInt64, _ payload: [UInt8]) -> [UInt8] {
    AnswerHeader(kind: kind, id: id, payloadLength: payload.count).bytes + payload
  }
}
