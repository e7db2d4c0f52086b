import LibraryFiles
import Models
import Store
import Workers

/// Reads the thumbnails of a library that are in packs in its object store.
///
/// It reads a megabyte at a time, because users look at neighbouring thumbnails together. A cache on the disk keeps
/// these parts (`PackCache`).
final class ThumbnailPacks: Sendable {
  private static let partBytes = 1 << 20
  private static let partsAtOnce = 8

  let objects: any ObjectStoring
  let cache: PackCache
  /// The largest size of a pack.
  let mostBytes: Int
  /// Thumbnails of fewer bytes wait in the database until there are more.
  let leastBytes: Int
  /// The reads that are running, one for each part.
  private let running = Locked<[Part: Task<Result<[UInt8]?, StoreError>, Never>]>([:])

  init(
    _ objects: any ObjectStoring,
    _ cache: PackCache,
    mostBytes: Int = 64 << 20,
    leastBytes: Int = 8 << 20
  ) {
    self.objects = objects
    self.cache = cache
    self.mostBytes = mostBytes
    self.leastBytes = leastBytes
  }

  /// Reads thumbnails.
  ///
  /// - Parameters:
  ///   - thumbnails: The places of the thumbnails.
  ///   - isCheck: Whether to ask the object store for each thumbnail instead of using the cache.
  /// - Returns: The bytes of each thumbnail; nil when the object store lacks it or has it damaged.
  /// - Throws: when the object store cannot be asked.
  func bytes(
    of thumbnails: [PackedThumbnail],
    isCheck: Bool = false
  ) async throws(StoreError) -> [[UInt8]?] {
    var found = [[UInt8]?](repeating: nil, count: thumbnails.count)
    for (index, thumbnail) in thumbnails.enumerated() where !isCheck {
      let bytes = cache.bytes(of: thumbnail.pack, in: thumbnail.range)
      found[index] = try bytes.flatMap(thumbnail.checked)
    }
    // Neighbouring thumbnails share parts.
    let missing = thumbnails.indices.filter { found[$0] == nil }
      .sorted { thumbnails[$0].order < thumbnails[$1].order }
    var rest = missing[...]
    while !rest.isEmpty {
      var (parts, count) = ([Part](), 0)
      for index in rest {
        let more = Self.parts(of: thumbnails[index]).filter { !parts.contains($0) }
        if count > 0, parts.count + more.count > Self.partsAtOnce { break }
        parts += more
        count += 1
      }
      let data = try await read(parts)
      for index in rest.prefix(count) {
        found[index] = try Self.cut(thumbnails[index], outOf: data)
      }
      rest = rest.dropFirst(count)
    }
    return found
  }

  /// A part of a pack, which begins at a multiple of `partBytes`.
  private struct Part: Hashable {
    let pack: SHA256Digest
    let start: Int
  }

  private static func parts(of thumbnail: PackedThumbnail) -> [Part] {
    let first = thumbnail.range.lowerBound / partBytes * partBytes
    return stride(from: first, to: thumbnail.range.upperBound, by: partBytes).map {
      Part(pack: thumbnail.pack, start: $0)
    }
  }

  private static func cut(
    _ thumbnail: PackedThumbnail,
    outOf data: [Part: [UInt8]]
  ) throws(StoreError) -> [UInt8]? {
    var bytes: [UInt8] = []
    for part in parts(of: thumbnail) {
      guard let data = data[part] else { return nil }
      let range = thumbnail.range.clamped(to: part.start..<part.start + data.count)
      bytes += data[(range.lowerBound - part.start)..<(range.upperBound - part.start)]
    }
    return try thumbnail.checked(bytes)
  }

  private func read(_ parts: [Part]) async throws(StoreError) -> [Part: [UInt8]] {
    let results = await withTaskGroup(of: (Part, Result<[UInt8]?, StoreError>).self) { group in
      for part in parts { group.addTask { (part, await self.read(part)) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var data: [Part: [UInt8]] = [:]
    for (part, result) in results { data[part] = try result.get() }
    return data
  }

  private func read(_ part: Part) async -> Result<[UInt8]?, StoreError> {
    let task = running.withLock { running in
      if let task = running[part] { return task }
      let task = Task { () -> Result<[UInt8]?, StoreError> in
        defer { self.running.withLock { $0[part] = nil } }
        do throws(StoreError) {
          let range = part.start..<part.start + Self.partBytes
          let bytes = try await self.objects.bytes(ofPack: part.pack, in: range)
          if let bytes { self.cache.keep(bytes, of: part.pack, at: part.start) }
          return .success(bytes)
        } catch {
          return .failure(error)
        }
      }
      running[part] = task
      return task
    }
    return await task.value
  }
}

/// The place of a thumbnail in a pack.
struct PackedThumbnail {
  var pack: SHA256Digest
  var range: Range<Int>
  /// The SHA-256 of its bytes.
  var hash: SHA256Digest

  /// Returns the bytes if their hash is right, else nil.
  fileprivate func checked(_ bytes: [UInt8]) throws(StoreError) -> [UInt8]? {
    try SHA256.digest(of: bytes, path: "a pack of thumbnails") == hash ? bytes : nil
  }

  fileprivate var order: (String, Int) { (pack.hexadecimal, range.lowerBound) }
}

/// The place of a thumbnail's bytes.
enum ThumbnailPlace {
  case database([UInt8])
  case pack(PackedThumbnail)
  /// In a pack, but the row that names its position is damaged.
  case nowhere

  private static let mostBytes: Int64 = 1 << 30

  /// The four columns that describe a place, selected from `source`.
  static let columns = "thumbnail.bytes, pack.sha256, pack_offset, pack_bytes"
  static let source = "thumbnail LEFT JOIN pack ON pack.id = pack_id"

  /// Reads the four columns, beginning with a given one.
  init(_ row: Row, at column: Int, hash: SHA256Digest?) throws {
    if let bytes: Bytes = try row.value(column) {
      self = .database(bytes.bytes)
      return
    }
    guard let pack = row.hash(column + 1), let hash, let offset: Int64 = try row.value(column + 2),
      let count: Int64 = try row.value(column + 3), (0...Self.mostBytes).contains(offset),
      (0...Self.mostBytes).contains(count)
    else {
      self = .nowhere
      return
    }
    self = .pack(PackedThumbnail(pack: pack, range: Int(offset)..<Int(offset + count), hash: hash))
  }

  var packed: PackedThumbnail? {
    if case .pack(let thumbnail) = self { thumbnail } else { nil }
  }
}

extension PostgresLibrary {
  /// Reads rows with the bytes of their thumbnails; the bytes are nil when they are missing or damaged.
  ///
  /// A pack may be emptied while it is read. So if bytes are missing, this reads all rows once more.
  func withBytes<Row: Sendable>(
    isCheck: Bool = false,
    _ read: @escaping @Sendable (Connection) throws -> [(Row, ThumbnailPlace)]
  ) async throws(StoreError) -> [(row: Row, bytes: [UInt8]?)] {
    let first = try await bytes(of: try await asking(.short, read), isCheck: isCheck)
    guard first.contains(where: { $0.bytes == nil }) else { return first }
    return try await bytes(of: try await asking(.short, read), isCheck: isCheck)
  }

  private func bytes<Row>(
    of rows: [(Row, ThumbnailPlace)],
    isCheck: Bool
  ) async throws(StoreError) -> [(row: Row, bytes: [UInt8]?)] {
    var packed = try await packedBytes(rows.compactMap { $0.1.packed }, isCheck: isCheck)[...]
    return rows.map { row, place in
      switch place {
      case .database(let bytes): (row, bytes)
      case .pack: (row, packed.removeFirst())
      case .nowhere: (row, nil)
      }
    }
  }

  func packedBytes(
    _ thumbnails: [PackedThumbnail],
    isCheck: Bool = false
  ) async throws(StoreError) -> [[UInt8]?] {
    if thumbnails.isEmpty { return [] }
    guard let packs = packs.withLock({ $0 }) else {
      let message = "thumbnails of the library are in an object store, so name it with '--objects'"
      throw StoreError(reason: .objectsUnreachable, path: path, message: message)
    }
    return try await packs.bytes(of: thumbnails, isCheck: isCheck)
  }
}
