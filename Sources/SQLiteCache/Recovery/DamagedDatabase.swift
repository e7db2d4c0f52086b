import Glibc
import LibraryFiles
import Workers

/// The pages of a database's file that may be damaged, and of its log; both are only read.
///
/// SQLite itself gives up a whole table when one page above its rows is damaged. So this reads the pages as the file
/// format describes them (sqlite.org/fileformat2.html), and believes nothing that a page says about others.
final class DamagedDatabase {
  let pageBytes: Int
  /// The number of the last page, of the file or of the log.
  let pageCount: Int
  /// Nil when the file is missing.
  private let file: OpenFile?
  private let log: OpenFile?
  /// The offsets of pages in the log, which are newer than those in the file.
  private var logged: [Int: Int] = [:]

  /// Opens the file and reads its log, up to the last transaction that is whole there.
  ///
  /// - Throws: when the file cannot be read, or is missing in a folder without other files of a library.
  init(_ folder: LibraryFolder) throws(StoreError) {
    let isMissing = try FileSystem.kind(of: folder.database) == nil
    if isMissing, try folder.remains() == nil {
      throw StoreError(reason: .noLibrary, path: folder.path, message: "")
    }
    file = isMissing ? nil : try OpenFile(folder.database)
    log = try? OpenFile(folder.log)
    let header = file?.read(100, at: 0) ?? []
    let named = Self.pageBytes(ofHeader: header) ?? log.flatMap { Self.pageBytes(ofLog: $0) }
    pageBytes = named ?? Limits.pageBytes
    var last = ((file?.count ?? 0) + pageBytes - 1) / pageBytes
    if let log {
      logged = Self.pages(in: log, pageBytes)
      last = max(last, logged.keys.max() ?? 0)
    }
    pageCount = last
  }

  /// A page, filled with zeros where the file ends too early; nil beyond the last one.
  func page(_ number: Int) -> [UInt8]? {
    guard (1...max(1, pageCount)).contains(number), pageCount > 0 else { return nil }
    let offset = logged[number]
    let source = offset == nil ? file : log
    var bytes = source?.read(pageBytes, at: offset ?? (number - 1) * pageBytes) ?? []
    bytes += repeatElement(0, count: pageBytes - bytes.count)
    return bytes
  }

  /// The pages that the file does not use (section 1.5); they may still have rows that were deleted.
  func freePages() -> Set<Int> {
    guard let first = page(1), Self.pageBytes(ofHeader: first) != nil else { return [] }
    var (free, trunk): (Set<Int>, Int) = ([], first.integer(32))
    while trunk > 0, let bytes = page(trunk), free.insert(trunk).inserted {
      let count = min(bytes.integer(4), pageBytes / 4 - 2)
      for index in 0..<max(0, count) { free.insert(bytes.integer(8 + 4 * index)) }
      trunk = bytes.integer(0)
    }
    return free
  }

  private static func pageBytes(ofHeader header: [UInt8]) -> Int? {
    guard header.count >= 100, header.starts(with: Array("SQLite format 3".utf8)) else {
      return nil
    }
    let size = Int(header[16]) << 8 | Int(header[17])
    return valid(size == 1 ? 65_536 : size)
  }

  private static func pageBytes(ofLog log: OpenFile) -> Int? {
    let header = log.read(32, at: 0)
    return header.count == 32 ? valid(header.integer(8)) : nil
  }

  private static func valid(_ size: Int) -> Int? {
    (512...65_536).contains(size) && size.nonzeroBitCount == 1 ? size : nil
  }

  /// The last pages that whole transactions have written to a log (section 4).
  private static func pages(in log: OpenFile, _ pageBytes: Int) -> [Int: Int] {
    let header = log.read(32, at: 0)
    guard header.count == 32, header.integer(0) & ~1 == 0x377F_0682,
      header.integer(8) == pageBytes
    else { return [:] }
    let isBig = header.integer(0) & 1 == 1
    var sum = LogChecksum(isBigEndian: isBig)
    sum.add(header.prefix(24))
    guard sum.matches(header[24...]) else { return [:] }
    var (pages, pending): ([Int: Int], [Int: Int]) = ([:], [:])
    var offset = 32
    while true {
      let frame = log.read(24 + pageBytes, at: offset)
      guard frame.count == 24 + pageBytes, frame[8..<16] == header[16..<24] else { return pages }
      sum.add(frame.prefix(8))
      sum.add(frame[24...])
      guard sum.matches(frame[16..<24]) else { return pages }
      pending[frame.integer(0)] = offset + 24
      // The last frame of a transaction has the size of the database.
      if frame.integer(4) > 0 {
        pages.merge(pending) { _, new in new }
        pending = [:]
      }
      offset += frame.count
    }
  }
}

/// The running checksum of a log (section 4.2).
private struct LogChecksum {
  let isBigEndian: Bool
  private var (first, second): (UInt32, UInt32) = (0, 0)

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Adds bytes, whose number is a multiple of 8.
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { bytes in
      for index in stride(from: 0, to: bytes.count - 7, by: 8) {
        let one = bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)
        let two = bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self)
        first &+= (isBigEndian ? one.bigEndian : one.littleEndian) &+ second
        second &+= (isBigEndian ? two.bigEndian : two.littleEndian) &+ first
      }
    }
  }

  func matches(_ stored: ArraySlice<UInt8>) -> Bool {
    let stored = Array(stored)
    return stored.integer(0) == Int(first) && stored.integer(4) == Int(second)
  }
}

/// A file that is read at any position.
private final class OpenFile {
  let count: Int
  private let file: Int32

  init(_ path: String) throws(StoreError) {
    file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw StoreError(errno: errno, path: path) }
    count = Int(lseek(file, 0, SEEK_END))
  }

  deinit { close(file) }

  /// The bytes at a position; fewer at the end of the file, and where the disk cannot be read.
  func read(_ length: Int, at position: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length) { bytes, count in
      while count < length {
        let rest = bytes.baseAddress?.advanced(by: count)
        let done = pread(file, rest, length - count, off_t(position + count))
        if done < 0, errno == EINTR { continue }
        guard done > 0 else { return }
        count += done
      }
    }
  }
}

extension [UInt8] {
  /// Four bytes as a number, the highest first; 0 beyond the end.
  func integer(_ offset: Int) -> Int {
    guard offset >= 0, offset + 4 <= count else { return 0 }
    return self[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
  }
}
