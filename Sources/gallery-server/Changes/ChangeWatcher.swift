import HTTPTypes
import Hummingbird
import Models
import NIOCore
import NIOHTTPTypes
import Scenes
import Web
import Workers

/// Notifies all waiting requests and all event streams when the library changes.
///
/// It checks the library once a second while clients wait, so it also notices changes by other processes. The cost of a
/// check does not grow with the number of clients, and clients have no queues.
actor ChangeWatcher {
  /// The news for a request that has waited for a change.
  struct News: Sendable, Equatable {
    var version: LibraryVersion
    /// The changes since the version that the request knew.
    var counts: ChangeCounts
  }

  private struct Waiter {
    var known: LibraryVersion
    /// The number of the last check that it waits for.
    var last: Int
    var continuation: CheckedContinuation<News?, Never>
  }

  private struct Follower {
    var known: LibraryVersion
    var access: Access
    var isOpen: @Sendable () -> Bool
    var tell: @Sendable (News?) -> Bool
    var end: CheckedContinuation<Void, Never>
  }

  private let library: any ChangeWatching
  private let isValid: @Sendable (Access) -> Bool
  private let pause: @Sendable () async -> Void
  private var waiters: [Int: Waiter] = [:]
  private var followers: [Int: Follower] = [:]
  private var lastID = 0
  private var looks = 0
  private var isLooking = false
  /// Whether the server is shutting down, so that requests must not wait.
  private(set) var isClosed = false

  /// - Parameters:
  ///   - library: The library to check.
  ///   - isValid: Whether a token is still valid.
  ///   - pause: Waits until the next check.
  init(
    _ library: any ChangeWatching,
    isValid: @escaping @Sendable (Access) -> Bool,
    pause: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(1)) }
  ) {
    self.library = library
    self.isValid = isValid
    self.pause = pause
  }

  /// Waits until the library has left a known state.
  ///
  /// - Parameters:
  ///   - known: The state.
  ///   - count: The maximum number of checks to wait for, one a second.
  /// - Returns: The news; nil when there is no news after all checks, when the task was cancelled, or when the server
  ///   shuts down.
  func news(after known: LibraryVersion, looks count: Int) async -> News? {
    lastID += 1
    let id = lastID
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled || isClosed { return continuation.resume(returning: nil) }
        waiters[id] = Waiter(known: known, last: looks + count, continuation: continuation)
        beginLooking()
      }
    } onCancel: {
      Task { await self.end(id) }
    }
  }

  /// Reports each change until the client has disconnected, its token is invalid, or the server shuts down.
  ///
  /// - Parameters:
  ///   - known: The state that the client knows.
  ///   - access: The rights of the client.
  ///   - isOpen: Whether the client is still connected.
  ///   - tell: Sends news, or nil every `Limits.eventCommentSeconds` to show that the server is alive. It returns false
  ///     when the client reads too slowly; the client then gets all changes together later.
  func follow(
    after known: LibraryVersion,
    _ access: Access,
    isOpen: @escaping @Sendable () -> Bool,
    tell: @escaping @Sendable (News?) -> Bool
  ) async {
    await withCheckedContinuation { end in
      if isClosed { return end.resume() }
      lastID += 1
      followers[lastID] = Follower(
        known: known,
        access: access,
        isOpen: isOpen,
        tell: tell,
        end: end
      )
      beginLooking()
    }
  }

  /// Ends all waiting.
  func close() {
    isClosed = true
    tell(nil, to: waiters)
    for follower in followers.values { follower.end.resume() }
    followers = [:]
  }

  private func beginLooking() {
    if isLooking { return }
    isLooking = true
    Task { await look() }
  }

  private func end(_ id: Int) {
    waiters.removeValue(forKey: id)?.continuation.resume(returning: nil)
  }

  private func look() async {
    while !waiters.isEmpty || !followers.isEmpty {
      await pause()
      looks += 1
      // A library that cannot be read now may be readable at the next check.
      guard let version = try? await library.version() else {
        tell(nil, to: waiters.filter { $0.value.last <= looks })
        tellFollowers([:])
        continue
      }
      let surprised = waiters.filter { $0.value.known != version }
      tell(nil, to: waiters.filter { $0.value.known == version && $0.value.last <= looks })
      for (known, group) in Dictionary(grouping: surprised, by: \.value.known.number) {
        let counts = try? await library.changeCounts(after: known)
        tell(News(version: version, counts: counts ?? ChangeCounts()), to: group)
      }
      tellFollowers(await news(for: followers, of: version))
    }
    isLooking = false
  }

  /// The news that followers have not received, by the state that they know.
  ///
  /// A restored backup is detected by comparison with the last state that clients have seen. So they get only news that
  /// the library could record as seen.
  private func news(
    for followers: [Int: Follower],
    of version: LibraryVersion
  ) async -> [LibraryVersion: News] {
    var news: [LibraryVersion: News] = [:]
    for known in Set(followers.values.map(\.known)) where known != version {
      guard let counts = try? await library.changeCounts(after: known.number) else { continue }
      news[known] = News(version: version, counts: counts)
    }
    if news.isEmpty { return [:] }
    return (try? await library.noteFollowed(version)) == nil ? [:] : news
  }

  private func tellFollowers(_ news: [LibraryVersion: News]) {
    let needsSign = looks.isMultiple(of: Limits.eventCommentSeconds)
    let invalid = Set(followers.values.map(\.access)).filter { !isValid($0) }
    for (id, follower) in followers {
      if invalid.contains(follower.access) || !follower.isOpen() {
        followers.removeValue(forKey: id)?.end.resume()
      } else if let news = news[follower.known] {
        if follower.tell(news) { followers[id]?.known = news.version }
      } else if needsSign {
        _ = follower.tell(nil)
      }
    }
  }

  private func tell(_ news: News?, to group: some Sequence<(key: Int, value: Waiter)>) {
    for (id, waiter) in group where waiters.removeValue(forKey: id) != nil {
      waiter.continuation.resume(returning: news)
    }
  }
}

extension ChangeWatcher.News {
  /// The text of an event for a change of the library.
  ///
  /// A client that sees only a part of the library does not learn what has changed elsewhere.
  func event(for part: LibraryPart) -> String {
    let cursor = ChangeCursor(behind: version, part: part).text
    let counts = part.isWhole ? counts : ChangeCounts()
    let feeds = counts.feeds.count > Limits.feedsPerEvent ? [] : counts.feeds
    let data = JSONLine.lines([
      ["cursor": .text(cursor), "feeds": .numbers(feeds), "images": .number(counts.images)]
    ])
    return "id: \(cursor)\ndata: \(String(decoding: data, as: UTF8.self))\n"
  }
}

/// A stream of events, which a connection sends instead of a body.
///
/// `ChangeWatcher` writes to all streams from one task, so that ten thousand streams fit into 200 MB.
final class EventStream: Sendable {
  private let channel: any Channel
  private let access: Access
  private let version: LibraryVersion
  private let share: ClientLimit<String>.Share

  /// - Parameters:
  ///   - channel: The connection.
  ///   - access: The rights of the client.
  ///   - version: The state that the client knows after the first event.
  ///   - share: Counts the stream while it is open.
  init(
    on channel: any Channel,
    _ access: Access,
    _ version: LibraryVersion,
    _ share: ClientLimit<String>.Share
  ) {
    (self.channel, self.access, self.version, self.share) = (channel, access, version, share)
  }

  /// Sends the head of the answer and the first event.
  func begin(_ head: HTTPResponse, _ first: String) {
    channel.write(HTTPResponsePart.head(head), promise: nil)
    write(first)
  }

  /// Sends each change, until the client has disconnected, its token is invalid, or the server shuts down.
  func follow(_ watcher: ChangeWatcher) async {
    await watcher.follow(after: version, access) {
      self.channel.isActive
    } tell: { news in
      guard self.channel.isWritable else { return false }
      self.write(news.map { $0.event(for: self.access.part) } ?? ":\n\n")
      return true
    }
    channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
  }

  private func write(_ text: String) {
    channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(string: text)), promise: nil)
  }
}
