import Models

/// The bytes of one original on their way to its file, and what they turn out to be.
struct OriginalArrival {
  /// What the bytes that are here belong to; nil before the first.
  private(set) var version: OriginalVersion?
  /// How many bytes an earlier try left, of those that are here.
  private(set) var resumedFrom = 0
  private let file: any OriginalWriting
  private var sample = PictureSample()
  private var isRecognised = false
  /// Whether a whole transfer proves a whole picture.
  private var isDeclared = false
  /// Bytes that an earlier try left and that have not been read back yet.
  private var unread = 0

  /// Takes over what an earlier try left in the file, when it came from the same address.
  init(into file: any OriginalWriting, from address: WebAddress) {
    self.file = file
    guard let kept = file.kept, kept.version.address.identity == address.identity else { return }
    version = kept.version
    unread = kept.length
  }

  /// How many bytes are here.
  var received: Int { unread + sample.length }

  /// How far it is.
  var progress: OriginalProgress {
    OriginalProgress(
      received: received,
      total: version?.total,
      partial: .file(path: file.path)
    )
  }

  /// What to ask for; nil for all.
  var range: NetworkRange? {
    guard received > 0, let validator = version?.rangeValidator else { return nil }
    return NetworkRange(offset: received, validator: validator)
  }

  /// Begins with the first byte of what a response brings.
  mutating func restart(_ header: NetworkHeader, from address: WebAddress) throws(Failure) {
    let version = OriginalVersion(header, from: address)
    try storing { () throws(StoreError) in try file.restart(version) }
    forget()
    self.version = version
    isDeclared = header.contentLength != nil
  }

  /// Goes on behind what is here, of which a response says how long the whole is.
  mutating func resume(total: Int?) throws(Failure) {
    if version?.total == nil { version?.total = total }
    isDeclared = version?.total != nil
    guard unread > 0 else { return }
    var sample = PictureSample()
    try storing { () throws(StoreError) in try file.resume { sample.append($0) } }
    self.sample = sample
    resumedFrom = unread
    unread = 0
  }

  /// Takes what is here for useless.
  mutating func forget() {
    version = nil
    sample = PictureSample()
    isRecognised = false
    resumedFrom = 0
    unread = 0
  }

  /// Writes what has come; refuses what is no picture as soon as that can be told.
  mutating func take(_ bytes: [UInt8]) throws(Failure) {
    sample.append(bytes)
    if !isRecognised, received >= OriginalLimits.recognitionBytes {
      _ = try pictureCheck()
      isRecognised = true
    }
    try storing { () throws(StoreError) in try file.append(bytes) }
  }

  /// Takes the end, and says what the file is.
  ///
  /// A body of undeclared length is whole only if its format says so; of a declared length the
  /// network has made sure.
  func check() throws(Failure) -> PictureInfo {
    let check = try pictureCheck()
    guard check.completeness == .whole || isDeclared else { throw .cutPicture(check.info.format) }
    return check.info
  }

  /// What the file is, when its own end marker says that it is whole; nil when it does not.
  func selfEvidentlyWhole() -> PictureInfo? {
    guard let check = PictureCheck(sample), check.completeness == .whole else { return nil }
    return check.info
  }

  private func pictureCheck() throws(Failure) -> PictureCheck {
    guard let check = PictureCheck(sample) else {
      throw .notAPicture(looksLike: ContentKind(sample.head.bytes).noun)
    }
    return check
  }

  private func storing(_ body: () throws(StoreError) -> Void) throws(Failure) {
    do { try body() } catch { throw .store(error) }
  }
}
