import Composition
import Foundation
import HTTPTypes
import Hummingbird
import Models
import Scenes
import Web
import Workers

/// The API for programs and for the scripts of the pages, as `openapi.json` describes it.
extension GalleryServer {
  func addAPI(to routes: Routes) {
    routes.get("/api/v1/images") { request, context in try await images(request, context) }
    routes.get("/api/v1/images/:id") { request, context in
      let id = try id(in: context)
      return try answer(try await image(id, context), for: request)
    }
    routes.get("/api/v1/timeline") { request, context in
      let list = try list(of: request, context)
      return try answer(try await timeline(of: list), for: request)
    }
    routes.get("/api/v1/timeline/:id") { request, context in
      try await bucket(of: list(of: request, context), Int(id(in: context)), request)
    }
    routes.get("/api/v1/feeds") { request, context in
      try context.requireWholeLibrary()
      return try answer(try await feeds(), for: request)
    }
    routes.get("/api/v1/openapi.json") { request, _ in
      Self.json(OpenAPI.document, for: request)
    }
  }

  private func images(_ request: Request, _ context: ServerContext) async throws -> Response {
    let list = try list(of: request, context)
    let records = RecordAnswer()
    await listImages(ListImagesJSONPresenter(display: records))
      .fetchImages(request: fetch(list, limit: Limits.imagesPerPage))
    if let failure = records.failure, failure.outcome != .done { throw WebProblem(failure) }
    let body = JSONLine.page(of: records.images, next: records.next)
    var response = try answer(body, for: request)
    if let next = records.next {
      let parameters = list.page(after: next).parameters
      response.headers[.link] = "<\(settings.basePath)/api/v1/images\(parameters)>; rel=\"next\""
    }
    return response
  }

  /// All that is known of an image; the only answer that names the address of its original.
  private func image(_ id: Int64, _ context: ServerContext) async throws -> [UInt8] {
    let answer = RecordAnswer()
    try await show(id, context, ShowImageJSONPresenter(display: answer)) { destination in
      await destination.interactor.describeImage()
    }
    if let failure = answer.failure { throw WebProblem(failure) }
    // The path of a file is nothing for other machines.
    return JSONLine.lines(answer.records.map { $0.without("file", in: "original") })
  }

  private func feeds() async throws -> [UInt8] {
    let answer = RecordAnswer()
    await root.listFeeds(presenter: ListFeedsJSONPresenter(display: answer)).fetchFeeds()
    if let failure = answer.failure, failure.outcome != .done { throw WebProblem(failure) }
    return JSONLine.lines([["feeds": .records(answer.records)]])
  }

  // MARK: The timeline

  private func timeline(of list: ListAddress) async throws -> [UInt8] {
    let buckets = try await timelines.buckets(of: list.query(limit: nil))
    let records = buckets.buckets.enumerated().map { index, bucket in
      var record: Record = ["key": .text(String(index)), "count": .number(bucket.count)]
      if let month = bucket.month { record.add("month", .text(Self.month(month))) }
      return record
    }
    let record: Record = [
      "version": .text(String(buckets.version.number)),
      "total": .number(buckets.ids.count),
      "sort": .text(list.order.rawValue),
      "buckets": .records(records),
    ]
    return JSONLine.lines([record])
  }

  private static func month(_ months: Int) -> String {
    let (year, month) = (months / 12, months % 12 + 1)
    let digits = String(year)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      + (month < 10 ? "-0\(month)" : "-\(month)")
  }

  /// A bucket in columns; immutable once all colours are known, because its address has the version of the list.
  private func bucket(
    of list: ListAddress,
    _ index: Int,
    _ request: Request
  ) async throws -> Response {
    let version = PercentEncoding.parameters(request.uri.query ?? "")["v"].flatMap { Int64($0) }
    let query = list.query(limit: nil)
    let buckets =
      if let version {
        try await timelines.buckets(of: query, at: version)
      } else {
        try await timelines.buckets(of: query) as Timelines.Buckets?
      }
    guard let buckets else {
      throw WebProblem(
        status: 409,
        title: "The list has changed",
        detail: "read the timeline again"
      )
    }
    guard buckets.buckets.indices.contains(index) else { throw Self.notFound }
    let bucket = buckets.buckets[index]
    let ids = Array(buckets.ids[bucket.start..<bucket.start + bucket.count])
    let tiles = try await root.library.tiles(ids: ids)
    let columns = TileColumns(tiles, of: ids)
    if !columns.isComplete { await colours.start() }
    // The version does not count the colours, so that a bucket that waits for some is asked for again.
    guard version != nil, columns.isComplete else { return try answer(columns.json, for: request) }
    var response = Self.json(columns.json, for: request)
    response.headers[.cacheControl] = "private, max-age=31536000, immutable"
    return response
  }
}
