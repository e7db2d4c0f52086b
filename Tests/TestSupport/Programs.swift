package import Foundation
import Glibc

/// The programs that tests start: the optimised ones, as they ship.
///
/// They are in the folder that `$GALLERY_PROGRAMS` names, else in the release folder of this checkout.
package enum Programs {
  package static let folder: URL = {
    let named = ProcessInfo.processInfo.environment["GALLERY_PROGRAMS"] ?? ""
    return named.isEmpty
      ? Checkout.folder.appending(path: ".build/release") : URL(filePath: named).absoluteURL
  }()

  /// The path of a program.
  ///
  /// - Throws: when it was not built.
  package static func path(of name: String) throws(MissingProgram) -> String {
    let path = folder.appending(path: name).path
    guard access(path, X_OK) == 0 else { throw MissingProgram(path: path) }
    return path
  }

  package struct MissingProgram: Error, CustomStringConvertible {
    let path: String

    package var description: String {
      "there is no program '\(path)' — Scripts/build builds it; $GALLERY_PROGRAMS may name another folder"
    }
  }
}
