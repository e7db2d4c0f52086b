import Dispatch
import LibraryFiles
package import Workers

/// Checks of stored pictures, and what they found: a part of `LibraryInspecting`.
extension DatabaseLibrary {
  package func mark(
    _ thing: CheckedThing,
    as condition: StoredCondition
  ) async throws(StoreError) {
    switch thing {
    case .thumbnail(let imageID):
      try await writing { db in try DamageQueries.mark(thumbnailOf: imageID, as: condition, db) }
    case .original(_, let imageIDs):
      guard let imageID = imageIDs.first else { return }
      try await writing { db in try DamageQueries.mark(originalOf: imageID, as: condition, db) }
    case .database, .file, .object: return
    }
  }

  package func fault(of original: FiledOriginal) async -> CheckFinding.Condition? {
    try? await DispatchQueue.global().run { original.fileFault() }
  }

  package func images(
    atAddressesOf paths: [String]
  ) async throws(StoreError) -> [String: [Int64]] {
    try await reading { db in try OriginalQueries.imagesWithout(originalsAt: paths, db) }
  }

  package func verificationMark() async throws(StoreError) -> VerificationMark {
    try await reading { db in try VerificationMarks.mark(db) }
  }

  package func setVerificationMark(_ mark: VerificationMark) async throws(StoreError) {
    let now = now().storedSeconds
    try await writing { db in try VerificationMarks.set(mark, now: now, db) }
  }
}
