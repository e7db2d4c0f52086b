import Composition
import HTTPTypes
import Hummingbird
import Logging
import Web
import Workers

/// The routes for the people who run the server.
extension GalleryServer {
  func addOperations(to routes: Routes) {
    // This route needs no token, because its answer reveals nothing about the library.
    routes.get("/healthz") { _, _ in Self.plain(.ok, "ok\n") }
    routes.get("/metrics") { _, context in
      try context.requireWholeLibrary()
      let version = try await root.library.version()
      let counts = await jobs.counts
      let text = metrics.text(
        changes: version.number,
        runningJobs: counts.running,
        endedJobs: counts.ended,
        kept: kept.figures
      )
      return Self.plain(.ok, text, parameter: "version=0.0.4")
    }
  }

  /// Makes an answer of plain text, with a parameter for its media type.
  static func plain(
    _ status: HTTPResponse.Status,
    _ text: String = "",
    parameter: String = "charset=utf-8"
  ) -> Response {
    Response(
      status: status,
      headers: [.contentType: "text/plain; \(parameter)", .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(string: text))
    )
  }
}

/// Counts the server's work, for Prometheus (text format, version 0.0.4).
final class ServerMetrics: Sendable {
  private struct State {
    /// The number of answers by the first digit of their status, from 1 to 5.
    var answers = [Int](repeating: 0, count: 6)
    var seconds = 0.0
  }

  private let state = Locked(State())
  private let start = ContinuousClock.now

  /// Counts an answer, and writes its line of the access log.
  ///
  /// - Parameters:
  ///   - status: The status of the answer.
  ///   - method: The method of the request.
  ///   - path: Its path, without a query.
  ///   - start: When it arrived.
  ///   - logger: The log.
  func note(
    status: Int,
    of method: HTTPRequest.Method,
    _ path: String,
    since start: ContinuousClock.Instant,
    _ logger: Logger
  ) {
    let duration = ContinuousClock.now - start
    state.withLock { state in
      state.answers[min(max(status / 100, 0), 5)] += 1
      state.seconds += duration / .seconds(1)
    }
    logger.info(
      "\(method) \(GalleryServer.logged(path)) \(status) \(Int(duration / .milliseconds(1))) ms"
    )
  }

  /// The metrics as text, with the library's change number, and the numbers of jobs and of pictures in memory.
  func text(
    changes: Int64,
    runningJobs: Int,
    endedJobs: Int,
    kept: KeptAnswers.Figures
  ) -> String {
    let now = state.withLock { $0 }
    let answers = (1...5).map {
      "gallery_http_responses_total{status=\"\($0)xx\"} \(now.answers[$0])"
    }
    return """
      # HELP gallery_http_responses_total Answers by the class of their status.
      # TYPE gallery_http_responses_total counter
      \(answers.joined(separator: "\n"))
      # HELP gallery_http_response_seconds_total Time until the head of each answer, added up.
      # TYPE gallery_http_response_seconds_total counter
      gallery_http_response_seconds_total \(now.seconds)
      # HELP gallery_uptime_seconds Time since the start.
      # TYPE gallery_uptime_seconds gauge
      gallery_uptime_seconds \((ContinuousClock.now - start) / .seconds(1))
      # HELP gallery_library_change_number The number of the library's last change.
      # TYPE gallery_library_change_number gauge
      gallery_library_change_number \(changes)
      # HELP gallery_jobs Jobs by their state.
      # TYPE gallery_jobs gauge
      gallery_jobs{state="running"} \(runningJobs)
      gallery_jobs{state="ended"} \(endedJobs)
      # HELP gallery_kept_pictures Pictures that are kept to be sent again.
      # TYPE gallery_kept_pictures gauge
      gallery_kept_pictures \(kept.count)
      # HELP gallery_kept_bytes Bytes of memory that they take.
      # TYPE gallery_kept_bytes gauge
      gallery_kept_bytes \(kept.bytes)
      # HELP gallery_kept_answers_total Answers that were sent again without a look into the database.
      # TYPE gallery_kept_answers_total counter
      gallery_kept_answers_total \(kept.sent)

      """
  }
}
