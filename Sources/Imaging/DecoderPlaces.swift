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
    let folder = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let prefix = folder.dropLast().joined(separator: "/")
    paths = [
      (folder + ["gallery-decoder"]).joined(separator: "/"),
      "\(prefix)/libexec/gallery/gallery-decoder",
    ]
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
}
