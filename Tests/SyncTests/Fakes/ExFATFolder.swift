import Models
import TestSupport
import Workers

/// A folder as strict as exFAT (Microsoft, "exFAT file system specification", section 7.7.3), in memory.
///
/// Names that differ only in case are the same. A number represents a file's content: that of its original, or of its
/// sidecar.
final class ExFATFolder: NamedFolder, NamedFolderOpening {
  static let edited = -1
  private static let foreign = -2

  private struct State {
    /// The files, keyed by names in upper case.
    var files: [String: (name: String, content: Int, mark: FileMark)] = [:]
    var record: [ExportedFile] = []
    var next: [ExportedFile] = []
    var note: String?
    var refused: [String] = []
    var damaged: Set<Int> = []
    var clock: Int64 = 0
    var isLooking = false
  }

  private let state = Locked(State())

  var files: Set<String> { state.withLock { Set($0.files.values.map(\.name)) } }
  /// The names that exFAT refused.
  var refused: [String] { state.withLock { $0.refused } }
  var damaged: Set<Int> {
    get { state.withLock { $0.damaged } }
    set { state.withLock { $0.damaged = newValue } }
  }
  var note: String? { state.withLock { $0.note } }

  func openNamed(_ path: String, for library: String, _ access: FolderAccess) -> (
    any NamedFolder
  )? {
    state.withLock { $0.isLooking = access == .looking }
    return self
  }

  func setNote(_ note: String?) { state.withLock { $0.note = note } }

  func readRecord() -> () throws(SiteExportError) -> ExportedFile? {
    var rest = state.withLock { $0.record }[...]
    return { rest.popFirst() }
  }

  func append(_ file: ExportedFile) { state.withLock { $0.next.append(file) } }

  func finishRecord() { state.withLock { ($0.record, $0.next) = ($0.next, []) } }

  func mark(of path: String) -> FileMark? { state.withLock { $0.files[path.uppercased()]?.mark } }

  func content(_ path: String) -> Int? { state.withLock { $0.files[path.uppercased()]?.content } }

  func delete(_ path: String) { state.withLock { $0.files[path.uppercased()] = nil } }

  func edit(_ path: String) { _ = set(path, Self.edited) }

  func put(_ path: String) { _ = set(path, Self.foreign) }

  func make(_ path: String, of original: PictureInfo) -> FileArrival {
    if damaged.contains(original.bytes) { return .damaged }
    if mark(of: path) != nil { return .taken }
    return .made(set(path, original.bytes), .link)
  }

  func replace(_ path: String, _ mark: FileMark, with original: PictureInfo) -> FileArrival {
    self.mark(of: path) == mark ? .made(set(path, original.bytes), .link) : .taken
  }

  func write(_ bytes: [UInt8], to path: String, replacing mark: FileMark?) -> FileArrival {
    self.mark(of: path) == mark ? .made(set(path, Int(bytes[0])), .copy) : .taken
  }

  private func set(_ path: String, _ content: Int) -> FileMark {
    state.withLock { state in
      state.clock += 1
      let mark = FileMark(bytes: content, changed: state.clock)
      if !path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy(Self.isTaken) {
        state.refused.append(path)
      }
      if !state.isLooking { state.files[path.uppercased()] = (path, content, mark) }
      return mark
    }
  }

  private static func isTaken(_ name: Substring) -> Bool {
    let forbidden = Set("\"*/:<>?\\|".unicodeScalars)
    return (1...255).contains(name.utf16.count) && name.utf8.count <= 255
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !forbidden.contains($0) }
      && !name.hasSuffix(".") && !name.hasSuffix(" ")
  }
}

extension LibraryStub {
  /// A library of these images, the last one first, whose last change has this number.
  static func named(_ states: [ImageState], number: Int64) -> LibraryStub {
    let images = states.reversed().map { state in
      var image = WebImage.moon
      image.id = state.id
      return image
    }
    let feed = Feed(id: 1, address: .feed, title: "Feed")
    return LibraryStub(images: images, feeds: [feed], states: states, number: number)
  }
}

/// Represents a sidecar by the number of the image's last change.
struct NumberedSidecars: SidecarMaking {
  func sidecar(of image: NamedImage, _ format: SidecarFormat) -> [UInt8] {
    [UInt8(image.state.number)]
  }
}

extension ImageState {
  /// An image with a stored original, whose length in bytes is the id.
  static func named(_ id: Int64, _ title: String) -> ImageState {
    let digits = String(id, radix: 16)
    let hash = SHA256Digest(
      hexadecimal: digits + String(repeating: "0", count: 64 - digits.utf8.count)
    )
    let fields = ImageFields(
      title: title,
      caption: nil,
      author: nil,
      licence: nil,
      published: nil,
      pageAddress: nil,
      thumbnailAddress: nil,
      originalAddress: "https://example.com/\(id).jpg",
      width: nil,
      height: nil
    )
    let info = PictureInfo(format: .jpeg, bytes: Int(id), width: nil, height: nil, hash: hash)
    return .sample(
      id: id,
      feedID: 1,
      position: id,
      fields: fields,
      original: .init(info: info, isStale: false)
    )
  }
}
