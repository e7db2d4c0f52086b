import Models
import PictureFiles
import Workers

/// Fetches one original into its file, with as many responses as that takes.
///
/// It resumes a part that an earlier attempt left, and a transfer that breaks off. A part that turns out to belong to
/// another version is replaced, once. The bytes are checked as they arrive: a body that is not a picture is refused
/// after its first kilobytes, and never replaces a part.
struct OriginalDownload {
  enum End: Equatable {
    /// The file is whole, and has this info; the header is that of the last response.
    case whole(PictureInfo, NetworkHeader)
    /// The server says that the stored original is still valid.
    case unchanged(NetworkHeader)
  }

  /// The number of first bytes that tell a picture from a page, so that a wrong body is not fetched to its end.
  private static let recognitionBytes = 4_096
  /// The number of the version that began last, of all downloads.
  private static let lastNumber = Locked(0)

  /// Bytes that came over the wire.
  private(set) var wireBytes = 0
  /// The number of bytes of the file that an earlier attempt left.
  private(set) var resumedFrom = 0
  private let request: OriginalRequest
  /// The address that identifies a part, without the signature that changes each time.
  private let source: WebAddress
  private let file: any OriginalWriting
  private let conditions: Validators
  /// The length of the stored picture that the conditions describe, in bytes; nil when it is unknown.
  private let storedBytes: Int?
  private let network: any Networking
  private var room: DiskRoom
  /// The version to which the bytes in the file belong; nil before the first byte.
  private var version: OriginalVersion?
  /// As in `OriginalProgress`.
  private var versionNumber = nextNumber()
  private var sample = PictureSample()
  private var isRecognised = false
  /// Whether a complete transfer proves that the picture is whole.
  private var isDeclared = false
  /// The number of bytes that an earlier attempt left and that were not read back yet.
  private var unread = 0
  /// The first bytes of another version, while the file still has a part of the version before; nil when bytes are
  /// written directly into the file.
  private var withheld: [UInt8]?
  /// Whether the file has bytes that are worth resuming.
  private var isFileInUse = false
  private var hasRestarted = false
  private var breaks = BrokenTransfers()

  /// - Parameters:
  ///   - request: The original to fetch, and how to fetch it.
  ///   - file: Takes the bytes; a part in it is resumed if it came from the same address.
  ///   - conditions: The validators of the stored picture, to ask whether it has changed.
  ///   - storedBytes: The length of the stored picture, if that is the original itself.
  ///   - network: Fetches the bytes.
  ///   - store: Checks the room on the disk.
  init(
    _ request: OriginalRequest,
    into file: any OriginalWriting,
    unless conditions: Validators,
    storedBytes: Int? = nil,
    network: any Networking,
    store: any FeedStoring
  ) {
    var request = request
    if let copy = request.copy {
      (request.address, request.reach, request.fileFolder) = (
        copy.address, copy.reach, copy.fileFolder
      )
      (request.feed, request.page) = (nil, nil)
    }
    self.request = request
    source = request.copy?.source ?? request.address
    self.file = file
    self.conditions = conditions
    self.storedBytes = storedBytes
    self.network = network
    room = DiskRoom(
      store: store,
      file: file,
      isKept: request.keepsRoom,
      purpose: request.purpose
    )
    guard let kept = file.kept, kept.version.isPart(of: source) else { return }
    version = kept.version
    unread = kept.length
    breaks = BrokenTransfers(behind: kept.length)
    isFileInUse = true
  }

  /// The validators of the bytes in the file: a part need not repeat all of them (RFC 9110, section 15.3.7).
  var validators: Validators { version?.validators ?? Validators() }

  /// The number of bytes that are here.
  private var received: Int { unread + sample.length }

  // MARK: Requests

  /// Sends requests until the file is whole; discards the file if its content is useless.
  mutating func run(_ progress: (OriginalProgress) -> Void) async throws(Failure) -> End {
    do throws(Failure) {
      return try await askUntilWhole(progress)
    } catch {
      if error.isUselessContent, withheld == nil { await file.discard() }
      throw error
    }
  }

  private mutating func askUntilWhole(
    _ progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> End {
    while true {
      let asked = nextRequest
      let response = try await Failure.ofNetwork(await network.open(asked))
      let header = response.header
      defer { wireBytes += response.body.wireBytes }
      if isWithheld(header) { throw .fault(.withheldOriginal) }
      switch OriginalAnswer(header, to: asked, holding: version) {
      case .unchanged: return .unchanged(header)
      case .all where header.describes(conditions, bytes: storedBytes): return .unchanged(header)
      case .refusal: throw .status(header.status)
      case .misfit: try restart()
      case .nothingMissing:
        try await resume(total: nil)
        // The file is whole if its format's own end marker says so; otherwise it begins again.
        if let check = PictureCheck(sample), check.completeness == .whole {
          return .whole(check.info, header)
        }
        try restart()
      case .all, .rest:
        if let info = try await receive(response, progress) { return .whole(info, header) }
      }
    }
  }

  /// Whether a gallery answers that it does not send this original as it is ('serve --originals-without-place').
  ///
  /// The entity tag of a copy says so, and that of a refusal. A gallery, or a proxy, refuses for other reasons, too.
  private func isWithheld(_ header: NetworkHeader) -> Bool {
    guard let copy = request.copy, copy.stored == nil, copy.fileFolder == nil else { return false }
    return header.validators.entityTag?.contains(GalleryAddress.tagWithoutPlace) == true
  }

  /// The request for the rest of the original, or for all of it.
  private var nextRequest: NetworkRequest {
    let validator = received > 0 ? version?.rangeValidator : nil
    let range = validator.map { NetworkRange(offset: received, validator: $0) }
    var asked = NetworkRequest(
      address: request.address,
      reach: request.reach,
      validators: range == nil ? conditions : Validators(),
      // A gallery would turn an original for a page that shows it.
      accept: request.copy == nil ? AcceptField.pictures : AcceptField.originals,
      byteLimit: OriginalRequest.mostBytes - (range?.offset ?? 0),
      fileFolder: request.fileFolder,
      range: range,
      attempt: breaks.count,
      feedKey: request.feedKey
    )
    (asked.feed, asked.page, asked.referer) = (request.feed, request.page, request.referer)
    asked.waits = request.waits
    return asked
  }

  private mutating func restart() throws(Failure) {
    guard !hasRestarted else {
      throw .network(error(.other, "the parts that the server sends do not belong together"))
    }
    hasRestarted = true
    forget()
  }

  private func error(_ reason: NetworkError.Reason, _ message: String) -> NetworkError {
    NetworkError(reason: reason, address: request.address, message: message)
  }

  // MARK: Bodies

  /// Receives a body; nil if another request is needed.
  private mutating func receive(
    _ response: NetworkResponse,
    _ progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> PictureInfo? {
    let header = response.header
    let declared = header.isEncoded ? nil : header.contentLength
    var share = try BudgetShare(of: request.budget, declared: declared)
    defer { share.giveBack() }
    try await begin(header)
    try await room.make(for: declared, behind: received)
    progress(self.progress)
    do throws(Failure) {
      while let bytes = try await Failure.ofNetwork(await response.body.next()) {
        try share.use(bytes.count)
        try await room.makeMore(for: bytes.count, behind: received)
        try await take(bytes)
        progress(self.progress)
      }
      return try await end()
    } catch {
      guard error.isBreak, breaks.allowsAnother(at: received) else { throw error }
      return nil
    }
  }

  private var progress: OriginalProgress {
    OriginalProgress(
      received: received,
      total: version?.total,
      partial: withheld == nil ? .file(path: file.path) : nil,
      version: versionNumber
    )
  }

  private static func nextNumber() -> Int {
    lastNumber.withLock { last in
      last += 1
      return last
    }
  }

  /// Prepares for a body: at its first byte, or behind the part that is here.
  ///
  /// The part stays until the new bytes turn out to be a picture. So a network that answers every request with its own
  /// page does not destroy the bytes of an earlier attempt.
  private mutating func begin(_ header: NetworkHeader) async throws(Failure) {
    guard header.status == 200 else { return try await resume(total: header.contentRange?.total) }
    forget()
    version = OriginalVersion(header, from: source)
    isDeclared = header.contentLength != nil
    withheld = []
    if !isFileInUse { try await release() }
  }

  /// Continues behind the part that is here; the response may give the total length.
  private mutating func resume(total: Int?) async throws(Failure) {
    if version?.total == nil { version?.total = total }
    isDeclared = version?.total != nil
    guard unread > 0 else { return }
    var sample = PictureSample()
    try await Failure.ofStore(await file.resume { sample.append($0) })
    self.sample = sample
    resumedFrom = unread
    unread = 0
  }

  /// Forgets the part that is here; the file keeps it until something better has arrived.
  private mutating func forget() {
    version = nil
    versionNumber = Self.nextNumber()
    withheld = nil
    sample = PictureSample()
    isRecognised = false
    resumedFrom = 0
    unread = 0
  }

  /// Writes bytes that have arrived, and refuses a body that is not a picture as soon as its bytes show that.
  private mutating func take(_ bytes: [UInt8]) async throws(Failure) {
    sample.append(bytes)
    if !isRecognised, received >= Self.recognitionBytes {
      _ = try check()
      isRecognised = true
    }
    guard withheld != nil else { return try await append(bytes) }
    withheld? += bytes
    if isRecognised { try await release() }
  }

  /// Writes the withheld bytes into the file, in place of its old part.
  private mutating func release() async throws(Failure) {
    guard let bytes = withheld, let version else { return }
    withheld = nil
    try await Failure.ofStore(await file.restart(version))
    isFileInUse = false
    if !bytes.isEmpty { try await append(bytes) }
  }

  private mutating func append(_ bytes: [UInt8]) async throws(Failure) {
    try await Failure.ofStore(await file.append(bytes))
    isFileInUse = true
  }

  /// Checks the original at the end of a body; nil if it is longer than declared, and has to begin again.
  ///
  /// A body of undeclared length is whole only if its format says so. The network has checked a declared length.
  private mutating func end() async throws(Failure) -> PictureInfo? {
    let missing = version?.total.map { $0 - received } ?? 0
    if missing > 0 { throw .network(error(.broken, "the body ended too early")) }
    if missing < 0 {
      try restart()
      return nil
    }
    let check = try check()
    guard check.completeness == .whole || isDeclared else { throw .cutPicture(check.info.format) }
    try await release()
    return check.info
  }

  private func check() throws(Failure) -> PictureCheck {
    guard let check = PictureCheck(sample) else {
      throw .notAPicture(looksLike: ContentKind(sample).noun)
    }
    return check
  }
}
