import FoundationEssentials
import Models
import PictureFiles
import Workers

/// Collects thumbnails of another gallery, and stores them a batch at a time.
struct MirroredThumbnails {
  private(set) var stored = 0
  private(set) var problems: [SyncProblem] = []
  /// The images whose thumbnails failed.
  private(set) var failed: Set<Int64> = []
  private let tools: SyncTools
  private let progress: SyncProgress
  private var named: [FetchedThumbnail] = []
  private var made: [FetchedThumbnail] = []
  private var bytes = 0
  /// The images whose thumbnails have arrived.
  private var taken: Set<Int64> = []

  init(_ tools: SyncTools, _ progress: SyncProgress) {
    self.tools = tools
    self.progress = progress
  }

  func has(_ thumbnail: MirroredThumbnail) -> Bool { taken.contains(thumbnail.imageID) }

  /// Takes a picture if its bytes match the hash; returns whether they do.
  ///
  /// A picture that is larger than a thumbnail has to be is made smaller, and a place is removed, as in that of a feed.
  mutating func take(_ bytes: [UInt8], of thumbnail: MirroredThumbnail) async throws(Failure)
    -> Bool
  {
    guard let header = ImageHeader(bytes),
      try tools.hash(of: bytes) == thumbnail.hash.hexadecimal
    else { return false }
    taken.insert(thumbnail.imageID)
    let info = PictureInfo(
      format: header.format,
      bytes: bytes.count,
      width: header.width,
      height: header.height
    )
    do throws(Failure) {
      let other = try await tools.replacement(for: bytes, info)
      add(bytes, info, storing: other, of: thumbnail)
    } catch {
      if error.isCancellation { throw error }
      fail(thumbnail, at: thumbnail.address, error)
    }
    if named.count + made.count >= SyncLimits.mirroredThumbnailsPerBatch
      || self.bytes >= SyncLimits.mirroredBytesPerBatch
    {
      try await store()
    }
    return true
  }

  private mutating func add(
    _ bytes: [UInt8],
    _ info: PictureInfo,
    storing other: ThumbnailFile?,
    of thumbnail: MirroredThumbnail
  ) {
    let now = tools.now()
    let fetched = FetchedThumbnail(
      imageID: thumbnail.imageID,
      address: thumbnail.address,
      validators: Validators(),
      info: other?.info ?? info,
      bytes: other?.bytes ?? bytes,
      fetched: now,
      checkDate: now,
      sourceSHA256: other == nil ? nil : thumbnail.hash.hexadecimal
    )
    if thumbnail.isMade { made.append(fetched) } else { named.append(fetched) }
    self.bytes += fetched.bytes.count
  }

  mutating func fail(_ thumbnail: MirroredThumbnail, at address: WebAddress, _ failure: Failure) {
    failed.insert(thumbnail.imageID)
    problems.append(SyncProblem(subject: .thumbnail, address: address, failure: failure))
    progress.update { $0.thumbnails.done += 1 }
  }

  /// Stores the thumbnails that have arrived.
  mutating func store() async throws(Failure) {
    do throws(StoreError) {
      try await tools.store.checkRoom(for: bytes)
      if !named.isEmpty { try await tools.store.store(PictureBatch(new: named), .thumbnail) }
      if !made.isEmpty { try await tools.store.store(PictureBatch(new: made), .madeThumbnail) }
    } catch {
      throw .store(error)
    }
    let count = named.count + made.count
    stored += count
    progress.update { $0.thumbnails.done += count }
    (named, made, bytes) = ([], [], 0)
  }
}

/// Divides thumbnails into those that are fetched with their packs, and those that are fetched by their hashes.
struct PackPlan: Equatable {
  struct Pack: Equatable {
    var hash: SHA256Digest
    /// In the order of their offsets.
    var thumbnails: [MirroredThumbnail]
    /// The range of the pack from the first thumbnail to the last.
    var range: Range<Int>
  }

  private(set) var packs: [Pack] = []
  private(set) var singles: [MirroredThumbnail] = []

  /// A pack is worth fetching if enough of its thumbnails are wanted, and these fill at least half of the range.
  init(_ wanted: [MirroredThumbnail]) {
    var groups: [SHA256Digest: [MirroredThumbnail]] = [:]
    var order: [SHA256Digest] = []
    for thumbnail in wanted {
      guard let pack = thumbnail.pack,
        (0...SyncLimits.thumbnailBytes).contains(thumbnail.bytes),
        (0...SyncLimits.packBytes).contains(pack.offset)
      else {
        singles.append(thumbnail)
        continue
      }
      if groups[pack.hash] == nil { order.append(pack.hash) }
      groups[pack.hash, default: []].append(thumbnail)
    }
    for hash in order {
      let thumbnails = (groups[hash] ?? []).sorted {
        ($0.pack?.offset ?? 0) < ($1.pack?.offset ?? 0)
      }
      let start = thumbnails.first?.pack?.offset ?? 0
      let end = thumbnails.map { ($0.pack?.offset ?? 0) + $0.bytes }.max() ?? 0
      let bytes = thumbnails.reduce(0) { $0 + $1.bytes }
      if thumbnails.count >= SyncLimits.thumbnailsOfPack, bytes * 2 >= end - start {
        packs.append(Pack(hash: hash, thumbnails: thumbnails, range: start..<end))
      } else {
        singles += thumbnails
      }
    }
  }
}

/// Thumbnails that are requested together.
struct ThumbnailBatch {
  let thumbnails: [MirroredThumbnail]
  /// The most bytes that they may have together.
  let bytes: Int

  init(_ thumbnails: some Sequence<MirroredThumbnail>) {
    self.thumbnails = Array(thumbnails)
    bytes = self.thumbnails.reduce(0) { $0 + Self.bytes(of: $1) }
  }

  /// Divides thumbnails into batches of at most `count`; a large thumbnail has a separate batch.
  static func all(of thumbnails: [MirroredThumbnail], atMost count: Int) -> [ThumbnailBatch] {
    var rest = thumbnails[...]
    var batches: [ThumbnailBatch] = []
    while !rest.isEmpty {
      var bytes = 0
      let some = rest.prefix(count).prefix { thumbnail in
        let isFirst = bytes == 0
        bytes += Self.bytes(of: thumbnail)
        return isFirst || bytes <= SyncLimits.thumbnailBytesPerRequest
      }
      batches.append(ThumbnailBatch(some))
      rest = rest.dropFirst(some.count)
    }
    return batches
  }

  private static func bytes(of thumbnail: MirroredThumbnail) -> Int {
    min(max(1, thumbnail.bytes), SyncLimits.thumbnailBytes)
  }
}

/// Cuts thumbnails out of a pack as it arrives.
struct PackReader {
  private let body: any NetworkBody
  private var buffer: [UInt8] = []
  /// The offset of the buffer in the pack.
  private var start: Int

  init(_ body: any NetworkBody, from start: Int) {
    self.body = body
    self.start = start
  }

  /// The bytes of a thumbnail; nil if it lies behind the end of the pack.
  ///
  /// Thumbnails have to be read in the order of their offsets.
  mutating func bytes(of thumbnail: MirroredThumbnail) async throws(Failure) -> [UInt8]? {
    guard let offset = thumbnail.pack?.offset, offset >= start else { return nil }
    let end = offset + thumbnail.bytes
    while start + buffer.count < end {
      guard let chunk = try await Failure.ofNetwork(await body.next()) else { return nil }
      // Drop the bytes before the thumbnail.
      let passed = min(max(0, offset - start), buffer.count)
      if passed > 0 {
        buffer.removeFirst(passed)
        start += passed
      }
      buffer += chunk
    }
    return Array(buffer[(offset - start)..<(end - start)])
  }
}
