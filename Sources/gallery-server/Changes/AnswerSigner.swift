import Logging
import Scenes
import Workers

/// Signs the answers for clients that keep a copy of the library, with the library's key pair.
///
/// Without a key pair that can be used, the answers have no signature, and the log has the reason once.
actor AnswerSigner {
  private let keys: any LibraryKeyKeeping
  private var known: (library: String, signer: any LibrarySigning)?
  private var problem: StoreError?

  init(_ keys: any LibraryKeyKeeping) { self.keys = keys }

  /// Adds the signature to a document of a library.
  nonisolated func sign(
    _ document: [UInt8],
    named name: String,
    of library: String,
    _ logger: Logger
  ) async throws(StoreError) -> [UInt8] {
    guard let signer = await signer(of: library, logger) else { return document }
    return try DocumentSignature.sign(document, named: name, by: signer)
  }

  private func signer(of library: String, _ logger: Logger) async -> (any LibrarySigning)? {
    if let known, known.library == library { return known.signer }
    do throws(StoreError) {
      guard let signer = try await keys.signer() else { return nil }
      known = (library, signer)
      return signer
    } catch {
      if error != problem {
        logger.error("changes are not signed: \(Wording.reason(.store(error)))")
      }
      problem = error
      return nil
    }
  }
}
