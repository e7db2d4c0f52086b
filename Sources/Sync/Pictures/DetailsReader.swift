package import Models
package import Workers

/// Reads what cameras have written into originals, and keeps it in the library.
///
/// An original that a sync or a viewer has just stored is read at once; one that was stored before is read when it is
/// looked at, and by a verification. A library that cannot be written has it read again each time. An original that
/// cannot be decoded is tried once, and again by a verification or after the program has started again.
package struct DetailsReader: PictureDetailing {
  /// The hash of an original's content, and what opens its file; that returns nil when the file has not that content.
  typealias File = (sha256: String, open: @Sendable () async -> PictureSource?)

  private let library: any DetailsStoring
  private let decoder: any DetailsDecoding
  private let failures: FailedDetails

  /// - Parameters:
  ///   - library: Keeps what originals say.
  ///   - decoder: Reads originals.
  ///   - failures: The originals that cannot be decoded; all readers of a program share it.
  package init(
    library: any DetailsStoring,
    decoder: any DetailsDecoding,
    failures: FailedDetails = FailedDetails()
  ) {
    (self.library, self.decoder, self.failures) = (library, decoder, failures)
  }

  package func details(of original: StoredOriginal) async -> PictureDetails? {
    let sha256 = original.sha256
    if original.isDamaged {
      // It may be the damage that could not be decoded.
      failures.remove(sha256)
      return await known([sha256])[sha256]
    }
    return await details(ofFiles: [(sha256, { @Sendable in original.picture })])[sha256]
  }

  /// What sound originals say, by their hashes; all that the library does not know is read, and stored at once if asked.
  func details(ofFiles files: [File], isStored: Bool = true) async -> [String: PictureDetails] {
    let known = await known(files.map(\.sha256))
    let new = await read(
      files.filter { known[$0.sha256] == nil && !failures.contains($0.sha256) }
    )
    if isStored, !new.isEmpty { try? await library.store(details: new) }
    return known.merging(new) { first, _ in first }
  }

  /// Reads the file of a sound original, and corrects what the library knows.
  func readAgain(_ path: String, sha256: String) async {
    let new = await read([(sha256, { @Sendable in .file(path: path) })])
    guard !new.isEmpty, await known([sha256]) != new else { return }
    try? await library.store(details: new)
  }

  private func known(_ hashes: [String]) async -> [String: PictureDetails] {
    (try? await library.details(ofOriginals: hashes)) ?? [:]
  }

  /// Reads files, a few at a time, because each is open meanwhile; those that cannot be decoded are left out.
  private func read(_ files: [File]) async -> [String: PictureDetails] {
    var found: [String: PictureDetails] = [:]
    var rest = files[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(SyncLimits.filesOpenForDetails))
      rest = rest.dropFirst(part.count)
      let read = await part.mapConcurrently { file -> (String, PictureDetails)? in
        guard let picture = await file.open() else { return nil }
        do throws(ImagingError) {
          return (file.sha256, try await decoder.details(of: picture))
        } catch {
          if error.pictureClass == .permanent { failures.add(file.sha256) }
          return nil
        }
      }
      for case (let sha256, let details)? in read { found[sha256] = details }
    }
    return found
  }
}

/// The originals that a decoder has refused for what they are, by their hashes, as long as the program runs.
///
/// The library does not keep them: another version of the decoder, or another machine, may read them.
package final class FailedDetails: Sendable {
  private let hashes = Locked<Set<String>>([])

  package init() {}

  func contains(_ sha256: String) -> Bool { hashes.withLock { $0.contains(sha256) } }

  func remove(_ sha256: String) { _ = hashes.withLock { $0.remove(sha256) } }

  /// Adds an original; when there are too many, all others are forgotten, and tried again.
  func add(_ sha256: String) {
    hashes.withLock { hashes in
      if hashes.count >= SyncLimits.failedDetails { hashes = [] }
      hashes.insert(sha256)
    }
  }
}
