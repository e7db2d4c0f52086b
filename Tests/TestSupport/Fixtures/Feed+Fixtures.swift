package import Models
package import Workers

extension Feed {
  /// A synced feed with a title.
  package static let astronomy = Feed(
    id: 1,
    address: .at("https://stars.example/feed.xml"),
    title: "Astronomy",
    format: .mediaRSS,
    imageCount: 120,
    documentImageCount: 120,
    lastSync: .novemberMorning,
    status: .updated
  )

  /// A feed without a title, whose last sync failed; its address contains a secret.
  package static let secret = Feed(
    id: 2,
    address: .at("https://ann:pass@team.example/shots.json?token=t0p"),
    imageCount: 1,
    status: .failed,
    problem: "the server answered 401 (authentication is needed)"
  )
}

extension FeedReference {
  package static let astronomy = FeedReference(Feed.astronomy)
  package static let secret = FeedReference(Feed.secret)

  private init(_ feed: Feed) {
    self.init(id: feed.id, address: feed.address, title: feed.title)
  }
}

extension FeedArgument {
  /// An argument that was typed in a folder without files.
  package static func named(_ text: String) -> FeedArgument {
    FeedArgument(text, relativeTo: "/home/ann") { _ in false }
  }
}

extension [FailureGroup] {
  /// Missing thumbnails and a missing original of a feed.
  package static let failing = [
    FailureGroup(
      kind: .thumbnail,
      count: 41,
      reason: "the server answered 404 (not found)",
      retry: .novemberMorning
    ),
    FailureGroup(kind: .original, count: 1, reason: "no answer", retry: .novemberMorning),
  ]
}
