package import Models

/// Keeps what cameras have written into originals, by the hashes of these.
///
/// It is read from the originals, so a loss costs nothing but reading them again.
package protocol DetailsStoring: Sendable {
  /// What originals say, by their hashes, which are SHA-256 in lower-case hexadecimal digits.
  ///
  /// Those that have not been read are left out.
  func details(ofOriginals hashes: [String]) async throws(StoreError) -> [String: PictureDetails]

  /// Stores what originals say, by their hashes; nothing is stored, too, so that they are not read again.
  func store(details: [String: PictureDetails]) async throws(StoreError)
}

/// Tells what cameras have written into originals.
package protocol PictureDetailing: Sendable {
  /// What the library knows, or else what the original's file says.
  ///
  /// Nil when neither can be had, as for an original that is away or cannot be decoded.
  func details(of original: StoredOriginal) async -> PictureDetails?
}
