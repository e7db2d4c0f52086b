import Composition
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Models
import Scenes
import Web
import Workers

/// The API for programs and for the scripts of pages; `openapi.json` describes it.
extension GalleryServer {
  func addAPI(to routes: Routes) {
    routes.get("/api/v1/images") { request, context in try await images(request, context) }
    routes.get("/api/v1/timeline") { request, context in try await timeline(request, context) }
    routes.get("/api/v1/timeline/:id") { request, context in try await bucket(request, context) }
    routes.get("/api/v1/feeds") { request, context in
      try context.requireWholeLibrary()
      return try answer(try await feeds(), for: request)
    }
    routes.get("/api/v1/openapi.json") { request, _ in
      Self.json(EmbeddedFiles.openAPI, for: request)
    }
  }

  private func images(_ request: Request, _ context: ServerContext) async throws -> Response {
    let list = try list(of: request, context)
    let records = RecordAnswer()
    var fetch = fetch(list, limit: Limits.imagesPerPage)
    (fetch.hasFacts, fetch.hasPins) = (true, true)
    await root.listImages(presenter: ListImagesJSONPresenter(display: records))
      .fetchImages(request: fetch)
    if let failure = records.failure, failure.outcome != .done { throw WebProblem(failure) }
    let body = JSONLine.page(of: records.images, next: records.next)
    var response = try answer(body, for: request)
    if let next = records.next {
      let parameters = list.page(after: next).parameters
      let path = context.carrying("\(context.reach.pagePath)/api/v1/images\(parameters)")
      response.headers[.link] = "<\(path)>; rel=\"next\""
    }
    return response
  }

  /// All facts about an image; no other answer contains the address of its original.
  func image(_ id: Int64, _ context: ServerContext) async throws -> [UInt8] {
    let answer = RecordAnswer()
    let presenter = ShowImageJSONPresenter(display: answer, tellsPlaces: settings.tellsPlaces)
    try await show(id, context, presenter) { interactor in
      await interactor.describeImage()
    }
    if let failure = answer.failure { throw WebProblem(failure, ofImage: id) }
    let records = answer.records.map { record in
      // The path of a file is useless to other machines.
      var record = record.without("file", in: "original")
      if let share = arriving.share(of: id) {
        let (received, total) = (share.received, share.total)
        record.add(
          "arriving",
          .record(["received": .number(received), "total": .number(total)])
        )
      }
      return record
    }
    return JSONLine.lines(records)
  }

  private func feeds() async throws -> [UInt8] {
    let answer = RecordAnswer()
    await root.listFeeds(presenter: ListFeedsJSONPresenter(display: answer)).fetchFeeds()
    if let failure = answer.failure, failure.outcome != .done { throw WebProblem(failure) }
    return JSONLine.lines([["feeds": .records(answer.records)]])
  }

  // MARK: The timeline

  private func timeline(_ request: Request, _ context: ServerContext) async throws -> Response {
    let list = try list(of: request, context)
    let records = RecordAnswer()
    await root.listTimeline(presenter: ListTimelineJSONPresenter(display: records))
      .fetchTimeline(request: .init(query: list.query(limit: nil)))
    if let failure = records.failure { throw WebProblem(failure) }
    return try answer(JSONLine.lines(records.records), for: request)
  }

  /// A bucket of a timeline; it is immutable once it is complete, because its address contains the version of the list.
  private func bucket(_ request: Request, _ context: ServerContext) async throws -> Response {
    let list = try list(of: request, context)
    let version = PercentEncoding.parameters(request.uri.query ?? "")["v"].flatMap { Int64($0) }
    let (index, query) = (Int(try id(in: context)), list.query(limit: nil))
    let records = RecordAnswer()
    await root.listTimeline(presenter: ListTimelineJSONPresenter(display: records))
      .fetchBucket(request: .init(query: query, index: index, version: version))
    if let failure = records.failure { throw WebProblem(failure) }
    if records.isPartial { await colours.start() }
    let body = JSONLine.lines(records.records)
    // The version does not cover colours, so clients must ask again for a bucket that still lacks some.
    guard version != nil, !records.isPartial else { return try answer(body, for: request) }
    var response = Self.json(body, for: request)
    response.headers[.cacheControl] = "private, max-age=31536000, immutable"
    return response
  }
}
