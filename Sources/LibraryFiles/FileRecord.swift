import CLinux
import Glibc
import Models
import Workers

/// The record of a folder with named files: one line for each file, sorted by image.
///
/// `files` is the record of the last export. `files.next` is the beginning of the record that replaces it when the
/// export ends. After a kill, the lines of `files` for later images complete it.
///
/// A line has nine fields, separated by tabs, which a path does not contain:
/// - the image's id and the number of its last change;
/// - the beginning of the original's hash;
/// - the length and the modification time of the file;
/// - the format, the length and the modification time of the sidecar;
/// - the path.
///
/// The record is text, not a database: the folder may be on a file system where locks and logs are unreliable.
struct FileRecord {
  private static let tab = UInt8(ascii: "\t")

  static func line(_ file: ExportedFile) -> String {
    let hash = String(file.hash, radix: 16)
    let sidecar = file.sidecar
    return """
      \(file.imageID)\t\(file.number)\t\(hash)\t\(file.mark.bytes)\t\(file.mark.changed)\t\
      \(sidecar?.format.rawValue ?? "-")\t\(sidecar?.mark.bytes ?? 0)\t\(sidecar?.mark.changed ?? 0)\t\
      \(file.path)\n
      """
  }

  /// Nil for a line that no export has written.
  static func file(_ line: ArraySlice<UInt8>) -> ExportedFile? {
    let parts = line.split(separator: tab, maxSplits: 8, omittingEmptySubsequences: false)
    guard parts.count == 9, !parts[8].isEmpty else { return nil }
    func number(_ index: Int) -> Int64? { Int64(String(decoding: parts[index], as: UTF8.self)) }
    guard let id = number(0), let change = number(1),
      let hash = UInt64(String(decoding: parts[2], as: UTF8.self), radix: 16),
      let bytes = number(3), let changed = number(4),
      let sidecarBytes = number(6), let sidecarChanged = number(7)
    else { return nil }
    let form = SidecarFormat(rawValue: String(decoding: parts[5], as: UTF8.self))
    return ExportedFile(
      imageID: id,
      number: change,
      hash: hash,
      path: String(decoding: parts[8], as: UTF8.self),
      mark: FileMark(bytes: Int(bytes), changed: changed),
      sidecar: form.map {
        .init(format: $0, mark: FileMark(bytes: Int(sidecarBytes), changed: sidecarChanged))
      }
    )
  }

  /// Reads the lines of a record one by one; a missing record has no lines.
  final class Reader {
    private static let pieceBytes = 64 << 10

    private let file: Int32
    private var piece: [UInt8] = []
    private var start = 0
    private var isAtEnd: Bool

    init(_ path: String) {
      file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      isAtEnd = file < 0
    }

    deinit { if file >= 0 { close(file) } }

    /// Skips lines that no export has written, such as the incomplete last line of a killed export.
    func next() -> ExportedFile? {
      while true {
        if let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
          defer { start = end + 1 }
          if let file = FileRecord.file(piece[start..<end]) { return file }
        } else if !readMore() {
          return nil
        }
      }
    }

    private func readMore() -> Bool {
      guard !isAtEnd else { return false }
      piece.removeFirst(start)
      start = 0
      var more = [UInt8](repeating: 0, count: Self.pieceBytes)
      let count = more.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      isAtEnd = count <= 0
      piece += more[..<max(count, 0)]
      return !isAtEnd
    }
  }

  /// Writes lines in blocks of about 32 KiB.
  final class Writer {
    private static let bufferBytes = 32 << 10

    private let path: String
    private let file: Int32
    private var buffer: [UInt8] = []

    init(_ path: String) throws(SiteExportError) {
      self.path = path
      file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
      guard file >= 0 else { throw .folder(StoreError(errno: errno, path: path)) }
    }

    deinit { close(file) }

    /// Whether the lines that are not written yet fill a block.
    var isFull: Bool { buffer.count >= Self.bufferBytes }

    /// Adds a line, which the next flush writes.
    func append(_ file: ExportedFile) { buffer += FileRecord.line(file).utf8 }

    func write(_ file: ExportedFile) throws(SiteExportError) {
      append(file)
      if isFull { try flush() }
    }

    func flush() throws(SiteExportError) {
      try GuardedFolder.catching { () throws(StoreError) in
        try FileSystem.write(self.buffer, to: self.file, path: self.path)
      }
      buffer = []
    }
  }
}
