import Foundation
import Glibc
import Models
import Threading
import Workers

/// Opens pictures with the program that the desktop has for them (xdg-open(1)).
struct PictureViewer: PictureOpening {
  private static let program = "xdg-open"
  func open(_ original: StoredOriginal) throws(OpeningError) {
    guard original.info.format != .svg else { throw .activeContent(original.info.format) }
    guard let path = path(of: Self.program) else { throw .noProgram(name: Self.program) }
    do throws(ChildProcess.Failure) {
      // Without our streams, because it may outlive the terminal.
      try ChildProcess([path, original.path], isApart: true).letGo()
    } catch {
      throw .cannotStart(name: Self.program, message: error.description)
    }
  }

  /// The path of a program, as a shell finds it; it skips empty folders in `PATH`, which mean the current one.
  private func path(of program: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }
}
