package import Scenes

/// The answers of the API: records of a scene, gathered until all are there.
package final class RecordAnswer: ListImagesRecordDisplayLogic {
  package private(set) var records: [Record] = []
  package private(set) var images: [ImageRecord] = []
  /// Where the next page begins; nil after the last one.
  package private(set) var next: String?
  /// Why there is no answer; nil when there is one.
  package private(set) var failure: Fail.ViewModel?
  /// Whether more is still to come, at another time.
  package private(set) var isPartial = false

  package init() {}

  package func displayRecords(viewModel: RecordViewModel) {
    records += viewModel.records
    isPartial = viewModel.outcome == nil
  }

  package func displayFetchedImages(viewModel: ListImages.FetchImages.RecordViewModel) {
    images += viewModel.records
  }

  package func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    next = viewModel.next
  }

  package func displayFailure(viewModel: Fail.ViewModel) { failure = viewModel }
}

/// An error, for people as a page, for programs as a problem (RFC 9457).
package struct WebProblem: Error, Equatable, Sendable {
  /// The status (RFC 9110, section 15).
  package var status: Int
  /// What is wrong, the same for all problems of a kind.
  package var title: String
  /// What is wrong with this request; nil when the title says it all.
  package var detail: String?
  /// Where a client begins that has to compare its copy of the library with it.
  package var resync: String?
  /// After how many seconds another try makes sense (`Retry-After`, RFC 9110, section 10.2.3).
  package var retryAfter: Int?

  /// The methods that the address has (`Allow`, RFC 9110, section 10.2.1).
  package var methods: [String] = []

  package init(status: Int, title: String, detail: String? = nil) {
    self.status = status
    self.title = title
    self.detail = detail
  }

  /// Why a scene failed.
  package init(_ failure: Fail.ViewModel) {
    switch failure.outcome {
    case .notFound: self.init(status: 404, title: "Not found")
    case .misused: self = .misused("")
    case .outdated: self.init(status: 409, title: "The list has changed")
    case .unavailable: self.init(status: 503, title: "Not available now")
    case .done, .failed, .partly: self.init(status: 500, title: "The library cannot be used")
    }
    detail = failure.message.webText
  }

  /// A request that is wrong in itself; the detail says what it takes.
  package static func misused(_ detail: String) -> WebProblem {
    WebProblem(status: 400, title: "The request makes no sense as it stands", detail: detail)
  }

  /// A method that the address does not have.
  package static func methodNotAllowed(_ methods: [String]) -> WebProblem {
    var problem = WebProblem(
      status: 405,
      title: "Method not allowed",
      detail: "this address has \(methods.joined(separator: ", "))"
    )
    problem.methods = methods
    return problem
  }

  /// `application/problem+json`.
  package var json: [UInt8] {
    var record: Record = [
      "type": "about:blank", "title": .text(title), "status": .number(status),
    ]
    if let detail { record.add("detail", .text(detail)) }
    if let resync { record.add("resync", .text(resync)) }
    return JSONLine.lines([record])
  }

  package var page: Page {
    Page("error", ["title": title, "status": status, "heading": title, "text": detail])
  }
}
