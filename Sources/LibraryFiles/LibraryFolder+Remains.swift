package import Workers

extension LibraryFolder {
  /// The files of a library that must not be taken for those of a new one; nil when there are none.
  ///
  /// A sync makes the database before any of them.
  package func remains() throws(StoreError) -> LibraryRemains? {
    let listing = FolderListing(self)
    let remains = LibraryRemains(
      folder: path,
      originals: try listing.originals().count { Self.sha256(ofOriginalAt: $0).isSHA256 },
      packs: try listing.packs().count,
      hasKey: try FileSystem.kind(of: key) != nil,
      backups: BackupNotes.places(of: self)
    )
    return remains.isEmpty ? nil : remains
  }
}
