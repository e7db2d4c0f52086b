package import Models
package import Workers

/// Reads what cameras have written into originals, and keeps it in the library.
///
/// An original that a sync or a viewer has just stored is read at once; one that was stored before is read when it is
/// looked at, and by a verification. A library that cannot be written has it read again each time.
package struct DetailsReader: PictureDetailing {
  /// The path of an original, and the hash of its content.
  typealias File = (path: String, sha256: String)

  private let library: any DetailsStoring
  private let decoder: any DetailsDecoding

  package init(library: any DetailsStoring, decoder: any DetailsDecoding) {
    (self.library, self.decoder) = (library, decoder)
  }

  package func details(of original: StoredOriginal) async -> PictureDetails? {
    let file: File = (original.path, original.sha256)
    guard original.isDamaged else { return await details(ofFiles: [file])[file.sha256] }
    return await known([file])[file.sha256]
  }

  /// What sound originals say, by their hashes; all that the library does not know is read, and stored at once.
  func details(ofFiles files: [File]) async -> [String: PictureDetails] {
    let known = await known(files)
    let new = await read(files.filter { known[$0.sha256] == nil })
    if !new.isEmpty { try? await library.store(details: new) }
    return known.merging(new) { first, _ in first }
  }

  /// Reads the file of a sound original, and corrects what the library knows.
  func readAgain(_ file: File) async {
    let new = await read([file])
    guard !new.isEmpty, await known([file]) != new else { return }
    try? await library.store(details: new)
  }

  private func known(_ files: [File]) async -> [String: PictureDetails] {
    (try? await library.details(ofOriginals: files.map(\.sha256))) ?? [:]
  }

  /// Reads files; those that cannot be decoded are left out.
  private func read(_ files: [File]) async -> [String: PictureDetails] {
    let read = await files.mapConcurrently { file -> (String, PictureDetails)? in
      guard let details = try? await decoder.details(of: .file(path: file.path)) else { return nil }
      return (file.sha256, details)
    }
    return Dictionary(read.compactMap(\.self)) { first, _ in first }
  }
}
