import Composition
import Models
import Threading
import Workers

/// Opens pictures with the desktop's default program (xdg-open(1)).
struct PictureViewer: PictureOpening {
  private static let program = "xdg-open"

  func open(_ original: StoredOriginal) throws(OpeningError) {
    guard original.info.format != .svg else { throw .activeContent(original.info.format) }
    guard let path = InstalledProgram.path(of: Self.program) else {
      throw .noProgram(name: Self.program)
    }
    do throws(ChildProcess.Failure) {
      // It does not get this program's streams, because it may outlive the terminal.
      try ChildProcess([path, original.path], isApart: true).letGo()
    } catch {
      throw .cannotStart(name: Self.program, message: error.description)
    }
  }
}
