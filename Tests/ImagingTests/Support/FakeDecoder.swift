import DecoderFrames
import Foundation
import Imaging
import TestSupport
import Threading

/// Programs in place of the decoder that behave differently.
struct FakeDecoder {
  let paths: DecoderPaths
  private let folder: ScratchFolder

  /// Writes a program, a shell script that communicates over descriptor 0.
  init(_ script: String) throws {
    folder = try ScratchFolder()
    let file = "\(folder.path)/gallery-decoder"
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    ChildProcess.waitForWriters(of: file)
    paths = DecoderPaths(candidates: [file])
  }

  /// A shell command that sends bytes to the process that started the decoder.
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

  /// A shell command that waits for a request.
  static let readRequest = "head -c \(DecoderRequest.length) <&0 >/dev/null"

  static func answer(_ kind: AnswerKind, id: UInt64, _ payload: [UInt8]) -> [UInt8] {
    AnswerHeader(kind: kind, id: id, payloadLength: payload.count).bytes + payload
  }
}
