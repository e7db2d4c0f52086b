import Composition
import HTTPTypes
import Hummingbird
import Models
import NIOCore
import Scenes
import Web
import Workers

/// The routes for clients that keep a copy of the library: its changes, and a stream that reports them.
extension GalleryServer {
  func addChangeLog(to routes: Routes) {
    routes.get("/api/v1/changes") { request, context in try await changes(request, context) }
  }

  func addEvents(to routes: Routes) {
    routes.get("/api/v1/events") { request, context in try await events(request, context) }
  }

  // MARK: Changes

  private func changes(_ request: Request, _ context: ServerContext) async throws -> Response {
    try context.requireOwnToken()
    let parameters = try ChangeParameters(PercentEncoding.parameters(request.uri.query ?? ""))
    let part = try await part(parameters, of: context)
    var since = parameters.since
    var wait = parameters.wait
    while true {
      let page = try await page(since: since, parameters, part)
      let next = ChangeCursor(behind: page, since: since, part: part)
      if page.lines.isEmpty, page.next == nil, wait > 0 {
        let news = await following.watcher.news(after: page.version, looks: parameters.wait)
        (since, wait) = (next, 0)
        guard following.tokens.isValid(context.access) else { throw AccessMiddleware.unauthorized }
        if news != nil { continue }
      }
      try await root.changes.noteFollowed(page.version)
      // The cursor is the entity tag of an answer without changes, so a mirror without news costs a few bytes.
      if page.lines.isEmpty, page.next == nil, isKnown("\"\(next.text)\"", by: request) {
        return Response(status: .notModified, headers: [.cacheControl: "no-store"])
      }
      return try await answer(page, next, part, parameters, request, context)
    }
  }

  /// The part of the library that a request asks for, which is never more than its token may see.
  private func part(
    _ parameters: ChangeParameters,
    of context: ServerContext
  ) async throws -> LibraryPart {
    var part = context.access.part
    if let id = parameters.feedID {
      var list = ListAddress(feedID: id)
      list.part = part
      try await requireImages(of: id, in: list)
      let feed = try await root.library.feeds().first { $0.id == id }
      guard let feed, part.feedID ?? id == id else { throw Self.notFound }
      if feed.isList {
        throw WebProblem.misused("'feed' is a list of feeds, and only its feeds have changes")
      }
      part.feedID = id
    }
    if let search = parameters.search {
      guard part.search == nil else {
        throw WebProblem.misused("'search' is not for a token that is limited to a search")
      }
      part.search = search
    }
    return part
  }

  private func page(
    since cursor: ChangeCursor?,
    _ parameters: ChangeParameters,
    _ part: LibraryPart
  ) async throws -> ChangePage {
    try await following.prepare()
    let page = try await root.changes.changePage(
      since: cursor,
      kinds: parameters.kinds,
      part: part,
      limit: parameters.limit
    )
    guard let page else { throw resync(for: part) }
    return page
  }

  /// Tells a client that the changes after its cursor are not enough to update its copy.
  private func resync(for part: LibraryPart) -> WebProblem {
    var problem = WebProblem(
      status: 410,
      title: "The cursor is too old",
      detail: part.isWhole
        ? "compare the copy with the tree"
        : "begin without a cursor, and drop what does not come again"
    )
    if part.isWhole { problem.resync = "\(settings.basePath)/api/v1/tree/root" }
    return problem
  }

  private func answer(
    _ page: ChangePage,
    _ next: ChangeCursor,
    _ part: LibraryPart,
    _ parameters: ChangeParameters,
    _ request: Request,
    _ context: ServerContext
  ) async throws -> Response {
    var bytes =
      ChangeLines(for: part).json(page.lines)
      + ChangeLines.end(
        cursor: next.text,
        library: page.version.library,
        title: settings.title,
        hasMore: page.next != nil
      )
    // A page of some kinds must not pass for one of all changes.
    if parameters.kinds.count == ChangedKind.allCases.count {
      let name = DocumentSignature.name(
        ofChangesBehind: parameters.sinceText,
        feedID: parameters.feedID,
        search: parameters.search
      )
      let library = page.version.library
      bytes = try await following.signer.sign(bytes, named: name, of: library, context.logger)
    }
    var response = Self.json(bytes, for: request, type: "application/x-ndjson")
    response.headers[.cacheControl] = "no-store"
    return response
  }

  // MARK: Events

  /// A stream that reports only that the library has changed (server-sent events, HTML, section 9.2).
  private func events(_ request: Request, _ context: ServerContext) async throws -> Response {
    try context.requireOwnToken()
    guard let share = following.streams.take(for: context.access.name) else {
      var problem = WebProblem(status: 503, title: "Too many event streams are open")
      problem.retryAfter = Limits.eventRetrySeconds
      throw problem
    }
    try await following.prepare()
    let part = context.access.part
    // Without the part, whose images no event names.
    let page = try await root.changes.changePage(ChangeRequest(position: .behind(.max), limit: 1))
    let since = lastEvent(request)
    let first = try await firstEvent(page, since, part)
    // A HEAD request needs only the header.
    if request.method == .get {
      following.open(
        EventStream(on: context.channel, context.access, page.version, share),
        on: context.channel,
        beginningWith: "retry: \(Limits.eventRetrySeconds)000\n\n\(first)"
      )
    }
    let fields: HTTPFields = [
      .contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no",
    ]
    // Its length is unknown.
    return Response(status: .ok, headers: fields, body: ResponseBody { try await $0.finish(nil) })
  }

  /// The cursor of the last event that the client has received.
  private func lastEvent(_ request: Request) -> String? {
    request.headers[.lastEventID]
      ?? PercentEncoding.parameters(request.uri.query ?? "")["since"]
  }

  /// The first event, with the changes that the client has missed.
  private func firstEvent(
    _ page: ChangePage,
    _ since: String?,
    _ part: LibraryPart
  ) async throws -> String {
    var news = ChangeWatcher.News(version: page.version, counts: ChangeCounts())
    guard let since else { return news.event(for: part) }
    guard let cursor = ChangeCursor(since), cursor.isGood(for: page, part: part) else {
      return "event: reset\n" + news.event(for: part)
    }
    news.counts = try await root.changes.changeCounts(after: cursor.position.number)
    return news.event(for: part)
  }
}

/// The objects that are shared by requests that follow the changes of the library.
struct Following: Sendable {
  let tokens: AccessTokens
  let watcher: ChangeWatcher
  /// The open event streams, by the names of their tokens.
  let streams = ClientLimit<String>(each: Limits.eventStreamsPerToken, all: Limits.eventStreams)
  let trees: LibraryTrees
  let signer: AnswerSigner
  private let opened = Locked<[ObjectIdentifier: (stream: EventStream, first: String)]>([:])
  private let preparation: Preparation

  /// - Parameters:
  ///   - library: The library.
  ///   - tokens: The tokens; a stream ends when its token is removed or expires.
  ///   - keys: The key pair of the library.
  init(_ library: any ChangeFollowing, _ tokens: AccessTokens, _ keys: any LibraryKeyKeeping) {
    self.tokens = tokens
    watcher = ChangeWatcher(library, isValid: { tokens.isValid($0) })
    trees = LibraryTrees(library)
    signer = AnswerSigner(keys)
    preparation = Preparation(library)
  }

  /// Makes a connection send a stream of events that begins with a text.
  func open(_ stream: EventStream, on channel: any Channel, beginningWith first: String) {
    opened.withLock { $0[ObjectIdentifier(channel)] = (stream, first) }
  }

  /// The stream that a connection has to send now; nil when there is none.
  func takeStream(of channel: any Channel) -> (stream: EventStream, first: String)? {
    opened.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  /// Checks once whether the library is a restored backup, before any client gets its changes.
  func prepare() async throws(StoreError) { try await preparation.run() }
}

private actor Preparation {
  private let library: any ChangeFollowing
  private var task: Task<Result<Void, StoreError>, Never>?

  init(_ library: any ChangeFollowing) { self.library = library }

  func run() async throws(StoreError) {
    let task =
      task
      ?? Task { [library] in
        do throws(StoreError) {
          return .success(try await library.prepareForFollowers())
        } catch {
          return .failure(error)
        }
      }
    self.task = task
    do throws(StoreError) {
      try await task.value.get()
    } catch {
      // The next request tries again.
      self.task = nil
      throw error
    }
  }
}

/// The parameters of a request for changes.
struct ChangeParameters {
  /// The cursor to start from; nil to start from the beginning.
  var since: ChangeCursor?
  /// The text of this cursor, as the client has sent it.
  var sinceText: String?
  var kinds = Set(ChangedKind.allCases)
  /// The feed and the words to which the changes are limited; nil for all.
  var (feedID, search): (Int64?, String?)
  var limit = Limits.changesPerPage
  /// The seconds to wait when there are no changes.
  var wait = 0

  init(_ parameters: [String: String]) throws(WebProblem) {
    if let text = parameters["since"] {
      guard let cursor = ChangeCursor(text) else {
        throw WebProblem.misused("'since' is not a cursor")
      }
      (since, sinceText) = (cursor, text)
    }
    if let text = parameters["types"] {
      let names = text.split(separator: ",").map(String.init)
      kinds = kinds.filter { names.contains($0.recordName) }
      guard !kinds.isEmpty else {
        throw WebProblem.misused("'types' names none of feed, image and pin")
      }
    }
    if let text = parameters["feed"] {
      guard let id = Int64(text) else {
        throw WebProblem.misused("'feed' is not the id of a feed")
      }
      feedID = id
    }
    search = parameters["search"].flatMap { $0.trimmed.isEmpty ? nil : $0 }
    if let text = parameters["limit"] {
      guard let number = Int(text), 1...Limits.changesPerPage ~= number else {
        throw WebProblem.misused("'limit' is not a number from 1 to \(Limits.changesPerPage)")
      }
      limit = number
    }
    if let text = parameters["wait"] {
      guard let number = Int(text), number >= 0 else {
        throw WebProblem.misused("'wait' is not a number of seconds")
      }
      wait = min(number, Limits.changeWaitSeconds)
    }
  }
}
