package import FoundationEssentials
package import Models

/// What a sync keeps of feeds and their images.
package protocol FeedStoring: Sendable {
  /// Makes the library when there is none, and looks whether it can be written.
  func prepare() throws(StoreError)

  /// The feed that is followed under an address, its own or one that it had before; nil when there is none.
  func feed(at address: WebAddress) throws(StoreError) -> Feed?

  /// The members of a feed that is a collection of IIIF, in its order; empty for every other feed.
  func members(ofFeedAt address: WebAddress) throws(StoreError) -> [FeedMember]

  /// The feeds of a list that is followed, as it was last read; empty for every other feed.
  func listedFeeds(ofListAt address: WebAddress) throws(StoreError) -> ListedFeeds

  /// Notes that what lists name is a web page that leads to a feed: once that is followed, or removed, the
  /// page is asked no more.
  func noteListedPage(at page: WebAddress, leadsTo feed: WebAddress) throws(StoreError)

  /// A writer for the document of a feed, known or new; nothing is written yet.
  ///
  /// - Parameters:
  ///   - address: The feed's address.
  ///   - reach: How far its content may lead, to be stored with the first of it; nil leaves what there
  ///     is.
  ///   - now: The date of the sync.
  ///   - isDryRun: Whether it only finds out what it would write; the store need not exist then.
  /// - Returns: The writer, for the task that made it.
  /// - Throws: when the library cannot be written.
  func writer(
    forFeedAt address: WebAddress,
    reach: FeedReach?,
    now: Date,
    isDryRun: Bool
  ) throws(StoreError) -> any FeedWriting

  /// Notes how a feed's sync ended when no document was read. A feed that is not known stays unknown.
  ///
  /// - Returns: The feed as it is stored since; nil when none is followed under the address.
  /// - Throws: when the library cannot be written.
  func noteSync(
    ofFeedAt address: WebAddress,
    _ note: FeedNote,
    now: Date
  ) throws(StoreError) -> NotedFeed?

  /// Looks whether the disk has room for so many bytes more, besides what a sync leaves free for others.
  ///
  /// - Throws: `.reserved` when it has not.
  func checkRoom(for bytes: Int) throws(StoreError)

  /// Brings what was written so far to the disk while something else is waited for, so that `flush` has
  /// less to do. What cannot be brought there now is left to `flush`, which tells why.
  func prepareFlush()

  /// Brings all that was written to the disk itself: returns when a power cut can take nothing.
  func flush() throws(StoreError)
}

extension FeedStoring where Self: DocumentStoring {
  package func writer(
    forFeedAt address: WebAddress,
    reach: FeedReach?,
    now: Date,
    isDryRun: Bool
  ) throws(StoreError) -> any FeedWriting {
    if !isDryRun { try prepare() }
    return FeedWriter(self, feedAt: address, reach: reach, now: now, isDryRun: isDryRun)
  }
}
