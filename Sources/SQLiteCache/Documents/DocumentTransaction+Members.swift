import GRDB
import Models
import Workers

extension DocumentTransaction {
  /// Ends one document of several.
  ///
  /// What was put off is decided now, because the images of a member have to be known before the
  /// next one begins; ids repeated across members identify nothing from then on, as in one document.
  mutating func endDocument(member: FeedMember?, _ db: Database) throws {
    if let member {
      try settle(upTo: .max)
      let id = try MemberQueries.store(
        member,
        feedID: feedID,
        place: state.members.count,
        images: state.seenInDocument,
        db
      )
      if let id { state.members.insert(id) }
    }
    state.endDocument()
  }

  /// Remembers what a feed that is a manifest itself says, with its images.
  mutating func keep(_ manifest: Manifest, at address: WebAddress, _ db: Database) throws {
    let id = try MemberQueries.store(
      FeedMember(address: address, validators: Validators(), manifest: manifest),
      feedID: feedID,
      place: MemberQueries.ownPlace,
      images: state.seenInDocument,
      db
    )
    if let id { state.members.insert(id) }
  }

  /// Counts what a member listed when it was last read as listed still.
  mutating func keepMember(at address: WebAddress, _ db: Database) throws {
    let place = state.members.count
    let kept = try MemberQueries.keep(memberAt: address, feedID: feedID, place: place, db)
    guard let (id, images) = kept else { return }
    state.members.insert(id)
    for image in images where !state.seen.contains(image) {
      state.see(image)
      state.counts.total += 1
    }
  }
}
