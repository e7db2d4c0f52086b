import FoundationEssentials
package import Workers

/// Answers with two processes, of which one syncs a feed.
package struct NodeListingStub: NodeListing {
  package static let nodes = [
    Node(machine: "one", process: 7, since: Date(timeIntervalSince1970: 1)),
    Node(
      machine: "two",
      process: 8,
      since: Date(timeIntervalSince1970: 2),
      feeds: [SyncedFeed(id: 3, title: nil, address: "a", since: Date(timeIntervalSince1970: 3))]
    ),
  ]

  package init() {}

  package func nodes() -> [Node] { Self.nodes }
}
