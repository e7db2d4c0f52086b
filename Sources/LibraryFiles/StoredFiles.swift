package import Models
import PictureFiles
package import Workers

extension StoredOriginal {
  /// The same with what is seen of its file at once; nil when the file is missing.
  ///
  /// A link, a folder or a pipe in its place counts as a missing file.
  package func found() throws(StoreError) -> StoredOriginal? {
    guard case .file(let bytes) = try FileSystem.kind(of: path) else { return nil }
    var found = self
    if bytes != info.bytes || beginsOtherwise { found.isDamaged = true }
    return found
  }

  /// Whether a file begins as no picture of its format does, and is not what was stored.
  ///
  /// To hash all of it each time would take too long; this finds the zeros that some disks leave after a power cut.
  private var beginsOtherwise: Bool {
    let head = FileSystem.beginning(of: path, count: FileLimits.originalHeadBytes)
    if head.isEmpty || ImageHeader(head)?.format == info.format { return false }
    let found = try? FileHash.sha256(ofFileAt: path)
    return found.map { $0.hash.hexadecimal != sha256 } ?? false
  }
}

extension FiledOriginal {
  /// Reads the whole file, and says what is wrong with it; nil when its content is the one that was stored.
  package func fileFault() -> CheckFinding.Condition? {
    do throws(StoreError) {
      guard let kind = try FileSystem.kind(of: path) else {
        // Of a row that a power cut has brought back, or that waits to be cleaned away: no image lacks it.
        return imageIDs.isEmpty ? nil : .missing
      }
      guard case .file = kind else { return .damaged(.notAFile) }
      let found = try FileHash.sha256(ofFileAt: path)
      if found.bytes != bytes { return .damaged(.otherLength(found.bytes, expected: bytes)) }
      return found.hash.hexadecimal == sha256 ? nil : .damaged(.otherContent)
    } catch {
      return .unreadable(error)
    }
  }
}

extension LibraryFolder {
  /// What an original's file is; nil unless it is the picture that its name promises.
  package func info(
    ofOriginalAt path: String,
    sha256: String
  ) throws(StoreError) -> PictureInfo? {
    var sample = PictureSample()
    let found = try FileHash.sha256(ofFileAt: path) { sample.append(Array($0)) }
    guard found.hash.hexadecimal == sha256, let info = PictureCheck(sample)?.info,
      path == original(sha256: sha256, fileExtension: info.format.fileExtension)
    else { return nil }
    return info
  }
}
