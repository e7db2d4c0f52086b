import Glibc
import Workers

/// Where the decoder's program may be.
///
/// That is beside the program that runs, or in `libexec` of the prefix it is installed under; never
/// where `PATH` says, which may be somebody else's.
package struct DecoderPlaces: Sendable, Equatable {
  /// In the order they are looked at.
  package let paths: [String]

  package init(paths: [String]) { self.paths = paths }

  /// The places for a program.
  ///
  /// - Parameter program: Its path, links resolved.
  package init(program: String) {
    let folder = Self.folder(of: program[...])
    let prefix = Self.folder(of: folder)
    paths = ["\(folder)/gallery-decoder", "\(prefix)/libexec/gallery/gallery-decoder"]
  }

  package static var ofRunningProgram: DecoderPlaces {
    guard let path = realpath("/proc/self/exe", nil) else { return DecoderPlaces(paths: []) }
    defer { free(path) }
    return DecoderPlaces(program: String(cString: path))
  }

  /// The first place where there is a program.
  func find() throws(ImagingError) -> String {
    guard let found = paths.first(where: { access($0, X_OK) == 0 }) else {
      throw .noDecoder(lookedAt: paths)
    }
    return found
  }

  /// What stands before the last slash; nothing of what lies in the root folder.
  private static func folder(of path: Substring) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
  }
}
