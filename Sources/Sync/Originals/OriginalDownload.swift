import Models
import PictureFiles
import Workers

/// Brings one original into its file, over as many responses as that takes.
///
/// A part that an earlier attempt left is resumed, and so is a transfer that breaks off; a part that turns out to
/// belong to another version is replaced, once. What the bytes are is found out while they come: a body that is no
/// picture is refused after its first kilobytes, and never replaces a part.
struct OriginalDownload {
  enum End: Equatable {
    /// The file is whole, and is this; with the header of the last response.
    case whole(PictureInfo, NetworkHeader)
    /// The server says that the stored original is still right.
    case unchanged(NetworkHeader)
  }

  /// How many transfers may break off, one after another, without bringing new bytes.
  private static let breaks = 5
  /// How many bytes more than ever before count as new.
  private static let progressBytes = 64 << 10
  /// How many first bytes tell a picture from a page, so that a wrong body is not fetched to its end.
  private static let recognitionBytes = 4_096

  /// Bytes that came over the wire.
  private(set) var wireBytes = 0
  /// How many bytes of the file an earlier attempt left.
  private(set) var resumedFrom = 0
  private let request: OriginalRequest
  /// The address that a part is known by, without the signature that changes each time.
  private let source: WebAddress
  private let file: any OriginalWriting
  private let conditions: Validators
  private let network: any Networking
  private var room: DiskRoom
  /// The version that the bytes in the file belong to; nil before the first.
  private var version: OriginalVersion?
  private var sample = PictureSample()
  private var isRecognised = false
  /// Whether a whole transfer proves a whole picture.
  private var isDeclared = false
  /// Bytes that an earlier attempt left and that have not been read back yet.
  private var unread = 0
  /// The first bytes of another version, while the file still has a part of the one before; nil when bytes go
  /// straight into the file.
  private var withheld: [UInt8]?
  /// Whether the file has bytes that are worth resuming.
  private var isFileInUse = false
  private var hasRestarted = false
  /// Transfers that broke off since one brought new bytes, and the most bytes that were here.
  private var broken = 0
  private var furthest = 0

  /// - Parameters:
  ///   - request: Which original, and how.
  ///   - file: Takes the bytes; a part in it is resumed when it came from the same address.
  ///   - conditions: The validators to ask with whether anything is to come at all.
  ///   - network: Brings the bytes.
  ///   - store: Knows how much room the disk has.
  init(
    _ request: OriginalRequest,
    into file: any OriginalWriting,
    unless conditions: Validators,
    network: any Networking,
    store: any FeedStoring
  ) {
    var request = request
    if let copy = request.copy {
      (request.address, request.reach, request.fileFolder) = (copy.address, copy.reach, nil)
    }
    self.request = request
    source = request.copy?.source ?? request.address
    self.file = file
    self.conditions = conditions
    self.network = network
    room = DiskRoom(
      store: store,
      file: file,
      isKept: request.keepsRoom,
      isAhead: !request.isLookedAt
    )
    guard let kept = file.kept, kept.version.address.identity == source.identity
    else { return }
    version = kept.version
    (unread, furthest) = (kept.length, kept.length)
    isFileInUse = true
  }

  /// The validators of the bytes in the file: a part need not repeat all of them (RFC 9110, section 15.3.7).
  var validators: Validators { version?.validators ?? Validators() }

  /// How many bytes are here.
  private var received: Int { unread + sample.length }

  // MARK: Requests

  /// Asks until the file is whole; a file that got nothing useful is discarded.
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
      switch OriginalAnswer(header, to: asked, holding: version) {
      case .unchanged: return .unchanged(header)
      case .refusal: throw .status(header.status)
      case .misfit: try restart()
      case .nothingMissing:
        try await resume(total: nil)
        // Whole by its own end marker, or else begun again.
        if let check = PictureCheck(sample), check.completeness == .whole {
          return .whole(check.info, header)
        }
        try restart()
      case .all, .rest:
        if let info = try await receive(response, progress) { return .whole(info, header) }
      }
    }
  }

  /// Asks for the rest of what is here, else for all of it.
  private var nextRequest: NetworkRequest {
    let validator = received > 0 ? version?.rangeValidator : nil
    let range = validator.map { NetworkRange(offset: received, validator: $0) }
    return NetworkRequest(
      address: request.address,
      reach: request.reach,
      validators: range == nil ? conditions : Validators(),
      accept: AcceptField.pictures,
      byteLimit: OriginalRequest.mostBytes - (range?.offset ?? 0),
      fileFolder: request.fileFolder,
      range: range,
      attempt: broken,
      feedKey: request.feedKey
    )
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

  /// Takes a body; nil when more is to be requested.
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
        try await take(bytes)
        try await room.makeMore(behind: received)
        progress(self.progress)
      }
      return try await end()
    } catch {
      guard error.isBreak, mayContinueAfterBreak() else { throw error }
      return nil
    }
  }

  private var progress: OriginalProgress {
    OriginalProgress(
      received: received,
      total: version?.total,
      partial: withheld == nil ? .file(path: file.path) : nil
    )
  }

  /// Begins with the first byte of what a response brings, or behind what is here.
  ///
  /// A part that is here stays until the new bytes turn out to be a picture: a network that answers every request
  /// with its own page must not cost what an earlier attempt has brought.
  private mutating func begin(_ header: NetworkHeader) async throws(Failure) {
    guard header.status == 200 else { return try await resume(total: header.contentRange?.total) }
    forget()
    version = OriginalVersion(header, from: source)
    isDeclared = header.contentLength != nil
    withheld = []
    if !isFileInUse { try await release() }
  }

  /// Continues behind what is here; a response says how long the whole is.
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

  /// Forgets what is here, though the file has it until something better has come.
  private mutating func forget() {
    version = nil
    withheld = nil
    sample = PictureSample()
    isRecognised = false
    resumedFrom = 0
    unread = 0
  }

  /// Writes what has come; refuses a body that is no picture as soon as that can be told.
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

  /// Puts what has been withheld into the file, in the place of what is there.
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

  /// Takes the end of a body, and says what the file is; nil when a server has sent less of the rest than it was
  /// asked for.
  ///
  /// A body of undeclared length is whole only if its format says so; of a declared length the network has made sure.
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

  /// Notes that a transfer has broken off; false when no other one is to be tried.
  ///
  /// Only bytes that had never come before count: a server that sends the same beginning again and again brings
  /// nothing.
  private mutating func mayContinueAfterBreak() -> Bool {
    broken = received - furthest >= Self.progressBytes ? 1 : broken + 1
    furthest = max(furthest, received)
    return broken < Self.breaks
  }
}
