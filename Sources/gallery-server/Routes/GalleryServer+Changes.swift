import Composition
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Models
import Scenes
import Web
import Workers

/// The routes that change the library, for forms and for programs; each needs an administrator's token.
extension GalleryServer {
  /// Forms post `application/x-www-form-urlencoded`, and the answer redirects to a page.
  func addForms(to routes: Routes) {
    routes.post("/feeds") { request, context in
      let form = try await form(of: request, context)
      let allowsPrivate = form["allowPrivate"] != nil
      _ = try await addFeed(form["url"] ?? "", allowsPrivate: allowsPrivate, context)
      return seeOther("/feeds", context)
    }
    routes.post("/feeds/:id/remove") { request, context in
      _ = try await form(of: request, context)
      _ = try await removeFeed(id(in: context))
      return seeOther("/feeds", context)
    }
    routes.post("/sync") { request, context in
      _ = try await form(of: request, context)
      _ = try await jobs.start([], for: context.access.name)
      return seeOther("/feeds", context)
    }
    for (name, isPinned) in [("pin", true), ("unpin", false)] {
      routes.post("/images/:id/\(name)") { request, context in
        _ = try await form(of: request, context)
        try await setPinned(isPinned, id(in: context), context)
        return seeOther("/images/\(try id(in: context))", context)
      }
    }
  }

  /// Programs send JSON.
  func addChanges(to routes: Routes) {
    routes.post("/api/v1/feeds") { request, context in
      let feed = try await body(NewFeed.self, of: request, context)
      let allowsPrivate = feed.allowPrivate ?? false
      return accepted(
        try await addFeed(feed.url, allowsPrivate: allowsPrivate, context),
        context
      )
    }
    routes.delete("/api/v1/feeds/:id") { request, context in
      try context.requireAdmin()
      let removed = try await removeFeed(id(in: context))
      return Self.json(JSONLine.lines(removed), for: request)
    }
    routes.post("/api/v1/sync") { request, context in
      let sync = try await body(NewSync.self, of: request, context)
      let feeds = sync.feed.map { [FeedArgument.id($0)] } ?? []
      return accepted(try await jobs.start(feeds, for: context.access.name), context)
    }
    routes.put("/api/v1/images/:id/pin") { _, context in
      try context.requireAdmin()
      try await setPinned(true, id(in: context), context)
      return Response(status: .noContent)
    }
    routes.delete("/api/v1/images/:id/pin") { _, context in
      try context.requireAdmin()
      try await setPinned(false, id(in: context), context)
      return Response(status: .noContent)
    }
    routes.get("/api/v1/jobs") { request, context in
      try context.requireWholeLibrary()
      let open = await jobs.open.map { Record($0) }
      return Self.json(JSONLine.lines([["jobs": .records(open)]]), for: request)
    }
    routes.delete("/api/v1/jobs/:id") { _, context in
      try context.requireAdmin()
      guard await jobs.stop(Int(try id(in: context))) else { throw Self.notFound }
      return Response(status: .noContent)
    }
    routes.get("/api/v1/jobs/:id") { request, context in
      try context.requireWholeLibrary()
      guard let status = await jobs.status(of: Int(try id(in: context))) else {
        throw Self.notFound
      }
      return Self.json(JSONLine.lines([Record(status)]), for: request)
    }
  }

  private struct NewFeed: Decodable {
    var url: String
    var allowPrivate: Bool?
  }

  private struct NewSync: Decodable {
    var feed: Int64?
  }

  // MARK: Actions

  private func addFeed(
    _ text: String,
    allowsPrivate: Bool,
    _ context: ServerContext
  ) async throws -> Int {
    guard let address = Self.webAddress(text) else {
      var detail = "'\(text)' is not an address such as https://example.com/photos.xml"
      if case .mistyped(let address) = Self.argument(text) {
        detail += "; did you mean '\(address.meant.masked)'?"
      }
      throw WebProblem(status: 422, title: "Not the address of a feed", detail: detail)
    }
    var plan = SyncPlan(feeds: [])
    let isFollowed = try await followedFeeds().contains { $0.has(address) }
    // A stranger's page may have suggested the address to the user, so only public addresses are allowed by default.
    if !isFollowed || allowsPrivate { plan.reach = allowsPrivate ? .anywhere : .publicOnly }
    return try await jobs.start([.address(address)], plan, for: context.access.name)
  }

  /// Reads an http or https address, whose scheme may be missing; a request cannot name a file of this machine.
  private static func webAddress(_ text: String) -> WebAddress? {
    switch argument(text) {
    case .address(let address): address.isWeb ? address : nil
    case .name(let name): name.web
    case .id, .pipe, .unusable, .mistyped: nil
    }
  }

  private static func argument(_ text: String) -> FeedArgument {
    FeedArgument(text, relativeTo: "/", fileExists: { _ in false })
  }

  /// The feeds of the library; empty while there is no library.
  private func followedFeeds() async throws -> [Feed] {
    do throws(StoreError) {
      return try await root.library.feeds()
    } catch  where error.reason == .noLibrary {
      return []
    }
  }

  private func removeFeed(_ id: Int64) async throws -> [Record] {
    let answer = RecordAnswer()
    await root.listFeeds(presenter: ListFeedsJSONPresenter(display: answer))
      .removeFeed(request: .init(feed: .id(id), isPurging: false))
    if let failure = answer.failure { throw WebProblem(failure) }
    return answer.records
  }

  private func setPinned(_ isPinned: Bool, _ id: Int64, _ context: ServerContext) async throws {
    let answer = RecordAnswer()
    try await show(id, context, ShowImageJSONPresenter(display: answer)) { interactor in
      await interactor.pinImage(request: .init(isPinned: isPinned))
    }
    if let failure = answer.failure { throw WebProblem(failure, ofImage: id) }
  }

  // MARK: Requests and answers

  /// The fields of a form, which a page of this server has sent.
  private func form(
    of request: Request,
    _ context: ServerContext
  ) async throws -> [String: String] {
    try context.requireAdmin()
    return PercentEncoding.parameters(try await text(of: request))
  }

  /// The JSON body of a request; a form of another site cannot send JSON.
  private func body<Value: Decodable>(
    _ type: Value.Type,
    of request: Request,
    _ context: ServerContext
  ) async throws -> Value {
    try context.requireAdmin()
    guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
      throw WebProblem(
        status: 415,
        title: "Unsupported media type",
        detail: "the body must be application/json"
      )
    }
    do {
      return try JSONDecoder().decode(type, from: Data(try await text(of: request).utf8))
    } catch is DecodingError {
      throw WebProblem(status: 422, title: "The body is not what this resource takes")
    }
  }

  private func text(of request: Request) async throws -> String {
    // A client that waits for "100 Continue" does not send such a body.
    let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
    guard length <= Limits.bodyBytes else { throw HTTPError(.contentTooLarge) }
    let body = try await request.body.collect(upTo: Limits.bodyBytes)
    return String(buffer: body)
  }

  private func seeOther(_ path: String, _ context: ServerContext) -> Response {
    Response(status: .seeOther, headers: [.location: context.reach.pagePath + path])
  }

  private func accepted(_ job: Int, _ context: ServerContext) -> Response {
    let address = "\(context.reach.pagePath)/api/v1/jobs/\(job)"
    return Response(
      status: .accepted,
      headers: [.contentType: "application/json", .location: address],
      body: .init(byteBuffer: ByteBuffer(bytes: JSONLine.lines([["job": .text(address)]])))
    )
  }
}

extension Record {
  fileprivate init(_ status: SyncJobs.Status) {
    self = [
      "id": .number(status.id),
      "state": .text(status.state.rawValue),
      "ended": .number(status.ended),
      "progress": status.progress.map { .real($0) } ?? .record(nil),
      "text": .text(WebAddress.withholdingFiles(in: status.text)),
      "problems": .texts(status.problems),
    ]
  }
}
