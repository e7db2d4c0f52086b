package import Models
import PictureFiles
package import Workers

extension StoredOriginal {
  /// The original, marked as damaged if a quick check of its file fails; nil when the file is missing.
  ///
  /// A link, a folder or a pipe in place of the file counts as missing.
  package func found() throws(StoreError) -> StoredOriginal? {
    guard case .file(let bytes) = try FileSystem.kind(of: path) else { return nil }
    var found = self
    if bytes != info.bytes || beginsOtherwise { found.isDamaged = true }
    return found
  }

  /// Whether the file has neither a valid beginning for its format nor the stored hash.
  ///
  /// Hashing every file each time would take too long. This check finds the zeros that some disks leave after a power
  /// cut.
  private var beginsOtherwise: Bool {
    let head = FileSystem.beginning(of: path, count: FileLimits.originalHeadBytes)
    if head.isEmpty || ImageHeader(head)?.format == info.format { return false }
    let found = try? FileHash.sha256(ofFileAt: path)
    return found.map { $0.hash.hexadecimal != sha256 } ?? false
  }
}

extension FiledOriginal {
  /// Reads the whole file and returns its fault; nil when the file has the stored content.
  package func fileFault() -> CheckFinding.Condition? {
    do throws(StoreError) {
      guard let kind = try FileSystem.kind(of: path) else {
        // Without images, the row came back after a power cut or waits for a cleaning, so no picture is missing.
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
  /// The facts about an original's file; nil unless its content matches its name.
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
