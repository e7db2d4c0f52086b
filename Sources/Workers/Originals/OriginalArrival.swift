import Models

/// The bytes of one original on their way to its file, and what they turn out to be.
struct OriginalArrival {
  /// How many first bytes tell a picture from a page, so that a wrong body is not fetched to its end.
  private static let bytesForRecognition = 4_096

  private let file: any OriginalWriting
  private let contentLength: Int?
  private var sample = PictureSample()
  private var isRecognised = false

  init(file: any OriginalWriting, contentLength: Int?) {
    self.file = file
    self.contentLength = contentLength
  }

  var received: Int { sample.length }

  /// Writes what has come; refuses what is no picture as soon as that can be told.
  mutating func take(_ bytes: [UInt8]) throws(Failure) {
    sample.append(bytes)
    if !isRecognised, received >= Self.bytesForRecognition {
      _ = try pictureCheck()
      isRecognised = true
    }
    do {
      try file.append(bytes)
    } catch {
      throw .store(error)
    }
  }

  /// Takes the end, and says what the file is.
  ///
  /// A body of undeclared length is whole only if its format says so; of a declared length the
  /// network has made sure.
  func check() throws(Failure) -> PictureInfo {
    let check = try pictureCheck()
    let isSurelyWhole = check.completeness == .whole
    guard isSurelyWhole || contentLength != nil else { throw .cutPicture(check.info.format) }
    return check.info
  }

  private func pictureCheck() throws(Failure) -> PictureCheck {
    guard let check = PictureCheck(sample) else {
      throw .notAPicture(looksLike: ContentKind(sample.head.bytes).noun)
    }
    return check
  }
}
