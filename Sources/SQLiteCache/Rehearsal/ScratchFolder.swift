import Foundation
import Glibc
import Workers

/// A folder among the system's temporary ones that goes with its owner.
final class ScratchFolder: Sendable {
  let path: String

  init() throws(StoreError) {
    let template = FileManager.default.temporaryDirectory.path + "/gallery-XXXXXX"
    var name = Array(template.utf8CString)
    guard mkdtemp(&name) != nil else { throw StoreError(errno: errno, path: template) }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    // One that cannot be deleted is the system's to clear away.
    try? FileManager.default.removeItem(atPath: path)
  }
}
