import Models
import PictureFiles

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
  /// How much was here when the disk's room was looked at last.
  private var checkedAt = 0
  /// Whether the file has bytes that are worth going on from.
  private var isFileInUse = false
  /// The first bytes of another version, as long as the file has those of the one before; nil when
  /// they go straight into the file.
  private var withheld: [UInt8]?

  /// Takes over what an earlier try left in the file, when it came from the same address.
  init(into file: any OriginalWriting, from address: WebAddress) {
    self.file = file
    guard let kept = file.kept, kept.version.address.identity == address.identity else { return }
    version = kept.version
    unread = kept.length
    isFileInUse = true
  }

  /// Whether nothing of what has come is in the file, which still has what was there before.
  var isWithheld: Bool { withheld != nil }

  /// How many bytes are here.
  var received: Int { unread + sample.length }

  /// How far it is.
  var progress: OriginalProgress {
    OriginalProgress(
      received: received,
      total: version?.total,
      partial: isWithheld ? nil : .file(path: file.path)
    )
  }

  /// What to ask for; nil for all.
  var range: NetworkRange? {
    guard received > 0, let validator = version?.rangeValidator else { return nil }
    return NetworkRange(offset: received, validator: validator)
  }

  /// Begins with the first byte of what a response brings.
  ///
  /// What is here stays until that turns out to be a picture: a network that puts its own page in the
  /// place of everything must not cost what an earlier try has brought.
  mutating func restart(_ header: NetworkHeader, from address: WebAddress) throws(Failure) {
    forget()
    version = OriginalVersion(header, from: address)
    isDeclared = header.contentLength != nil
    withheld = []
    if !isFileInUse { try release() }
  }

  /// Puts what has been withheld into the file, in the place of what is there.
  private mutating func release() throws(Failure) {
    guard let bytes = withheld, let version else { return }
    withheld = nil
    try storing { () throws(StoreError) in try file.restart(version) }
    isFileInUse = false
    if !bytes.isEmpty { try append(bytes) }
  }

  private mutating func append(_ bytes: [UInt8]) throws(Failure) {
    try storing { () throws(StoreError) in try file.append(bytes) }
    isFileInUse = true
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

  /// Takes what is here for useless, though the file has it until something better has come.
  mutating func forget() {
    version = nil
    withheld = nil
    sample = PictureSample()
    isRecognised = false
    resumedFrom = 0
    unread = 0
  }

  /// Looks whether so many bytes more leave free what is to be left of the disk.
  mutating func checkRoom(for bytes: Int) throws(Failure) {
    checkedAt = received
    try storing { () throws(StoreError) in try file.checkRoom(for: bytes) }
  }

  /// Looks whenever much has come since it looked last: others fill the disk, too.
  mutating func checkRoomNowAndThen() throws(Failure) {
    guard received - checkedAt >= OriginalLimits.bytesBetweenRoomChecks else { return }
    try checkRoom(for: 0)
  }

  /// Throws the file away.
  func discard() { file.discard() }

  /// Writes what has come; refuses what is no picture as soon as that can be told.
  mutating func take(_ bytes: [UInt8]) throws(Failure) {
    sample.append(bytes)
    if !isRecognised, received >= OriginalLimits.recognitionBytes {
      _ = try pictureCheck()
      isRecognised = true
    }
    guard withheld != nil else { return try append(bytes) }
    withheld? += bytes
    if isRecognised { try release() }
  }

  /// Takes the end, and says what the file is.
  ///
  /// A body of undeclared length is whole only if its format says so; of a declared length the
  /// network has made sure.
  mutating func check() throws(Failure) -> PictureInfo {
    let check = try pictureCheck()
    guard check.completeness == .whole || isDeclared else { throw .cutPicture(check.info.format) }
    try release()
    return check.info
  }

  /// What the file is, when its own end marker says that it is whole; nil when it does not.
  func selfEvidentlyWhole() -> PictureInfo? {
    guard let check = PictureCheck(sample), check.completeness == .whole else { return nil }
    return check.info
  }

  private func pictureCheck() throws(Failure) -> PictureCheck {
    guard let check = PictureCheck(sample) else {
      throw .notAPicture(looksLike: ContentKind(sample).noun)
    }
    return check
  }

  private func storing(_ body: () throws(StoreError) -> Void) throws(Failure) {
    do { try body() } catch { throw .store(error) }
  }
}
