import Models

/// Brings one original into its file, over as many responses as that takes.
///
/// What an earlier try left is gone on from, and so is what is here when a transfer breaks off; what
/// turns out to belong to another version is begun anew, once.
struct OriginalDownload {
  enum End: Equatable {
    /// The file is whole, and is this; with the header of the last response.
    case whole(PictureInfo, NetworkHeader)
    /// The server says that what is stored is still right.
    case unchanged(NetworkHeader)
  }

  /// Bytes that came over the wire.
  private(set) var wireBytes = 0
  private let request: OriginalRequest
  private let conditions: Validators
  private let network: any Networking
  private var arrival: OriginalArrival
  private var breaks: OriginalBreaks
  private var isBegunAnew = false

  /// Takes where the bytes go, and what to ask with whether anything is to come at all.
  init(
    _ request: OriginalRequest,
    into file: any OriginalWriting,
    unless conditions: Validators,
    network: any Networking
  ) {
    self.request = request
    self.conditions = conditions
    self.network = network
    arrival = OriginalArrival(into: file, from: request.address)
    breaks = OriginalBreaks(from: arrival.received)
  }

  /// The validators of what is in the file: a part need not repeat all of them (RFC 9110, section
  /// 15.3.7).
  var validators: Validators { arrival.version?.validators ?? Validators() }

  /// How many bytes of the file an earlier try left.
  var resumedFrom: Int { arrival.resumedFrom }

  /// Asks until the file is whole; a file that has got nothing but what is of no use is discarded.
  mutating func run(_ progress: (OriginalProgress) -> Void) async throws(Failure) -> End {
    do throws(Failure) {
      return try await askUntilWhole(progress)
    } catch {
      if error.isUselessContent, !arrival.isWithheld { arrival.discard() }
      throw error
    }
  }

  private mutating func askUntilWhole(
    _ progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> End {
    while true {
      let asked = nextRequest
      let response = try await open(asked)
      let header = response.header
      defer { wireBytes += response.body.wireBytes }
      switch OriginalAnswer(header, to: asked, holding: arrival.version) {
      case .unchanged: return .unchanged(header)
      case .refusal: throw .status(header.status)
      case .misfit: try beginAnew()
      case .nothingMissing:
        if let info = try infoOfKept() { return .whole(info, header) }
        try beginAnew()
      case .all, .rest:
        if let info = try await receive(response, progress) { return .whole(info, header) }
      }
    }
  }

  /// Asks for the rest of what is here, else for all of it.
  private var nextRequest: NetworkRequest {
    let range = arrival.range
    return NetworkRequest(
      address: request.address,
      reach: request.reach,
      validators: range == nil ? conditions : Validators(),
      accept: AcceptField.pictures,
      byteLimit: SyncLimits.originalBytes - (range?.offset ?? 0),
      fileFolder: request.fileFolder,
      range: range,
      attempt: breaks.count,
      feedKey: request.feedKey
    )
  }

  private func open(_ request: NetworkRequest) async throws(Failure) -> NetworkResponse {
    do {
      return try await network.open(request)
    } catch {
      throw .network(error)
    }
  }

  private mutating func beginAnew() throws(Failure) {
    guard !isBegunAnew else {
      throw .network(error(.other, "the parts that the server sends do not belong together"))
    }
    isBegunAnew = true
    arrival.forget()
  }

  /// What is kept, when it is a whole picture by its own end marker.
  private mutating func infoOfKept() throws(Failure) -> PictureInfo? {
    try arrival.resume(total: nil)
    return arrival.selfEvidentlyWhole()
  }

  /// Takes a body; nil when more is to be asked for.
  private mutating func receive(
    _ response: NetworkResponse,
    _ progress: (OriginalProgress) -> Void
  ) async throws(Failure) -> PictureInfo? {
    let header = response.header
    let declared = header.isEncoded ? nil : header.contentLength
    var share = try BudgetShare(of: request.budget, declared: declared)
    defer { share.giveBack() }
    try begin(with: header)
    if request.keepsRoom { try arrival.checkRoom(for: declared ?? 0) }
    progress(arrival.progress)
    do throws(Failure) {
      while let bytes = try await nextBytes(of: response.body) {
        try share.use(bytes.count)
        try arrival.take(bytes)
        if request.keepsRoom { try arrival.checkRoomNowAndThen() }
        progress(arrival.progress)
      }
      return try end()
    } catch .network(let error) where error.reason == .broken || error.reason == .timedOut {
      guard breaks.note(at: arrival.received) else { throw .network(error) }
      return nil
    } catch {
      throw error
    }
  }

  private mutating func begin(with header: NetworkHeader) throws(Failure) {
    if header.status == 200 {
      try arrival.restart(header, from: request.address)
    } else {
      try arrival.resume(total: header.contentRange?.total)
    }
  }

  private func nextBytes(of body: any NetworkBody) async throws(Failure) -> [UInt8]? {
    do {
      return try await body.next()
    } catch {
      throw .network(error)
    }
  }

  /// Takes the end of a body: a server may send less of the rest than it was asked for.
  private mutating func end() throws(Failure) -> PictureInfo? {
    let missing = arrival.version?.total.map { $0 - arrival.received } ?? 0
    if missing > 0 { throw .network(error(.broken, "the body ended too early")) }
    if missing < 0 { try beginAnew() }
    return missing == 0 ? try arrival.check() : nil
  }

  private func error(_ reason: NetworkError.Reason, _ message: String) -> NetworkError {
    NetworkError(reason: reason, address: request.address, message: message)
  }
}
