import CWebFiles

/// The files of `Assets`, which `CWebFiles` embeds in the program.
///
/// The Swift compiler takes half a minute for the same bytes. A test compares the list with the folder.
package enum EmbeddedFiles {
  static var assets: [(name: String, bytes: [UInt8])] {
    var count = 0
    let files = cwebfiles_assets(&count)
    return UnsafeBufferPointer(start: files, count: count).map { file in
      (String(cString: file.name), bytes(of: file))
    }
  }

  /// The description of the API (OpenAPI 3.1), written by hand and checked against the routes by tests.
  package static var openAPI: [UInt8] { bytes(of: cwebfiles_open_api().pointee) }

  private static func bytes(of file: CWebFile) -> [UInt8] {
    Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
  }
}
