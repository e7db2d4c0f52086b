package import Scenes

/// The response of the API: records of a scene, collected until the scene has presented all of them.
///
/// They have no addresses of files.
package final class RecordAnswer: ListImagesRecordDisplayLogic {
  package private(set) var records: [Record] = []
  package private(set) var images: [ImageRecord] = []
  /// The cursor of the next page; nil after the last one.
  package private(set) var next: String?
  /// The reason why there is no response; nil when there is one.
  package private(set) var failure: Fail.ViewModel?
  /// Whether more records follow, at another time.
  package private(set) var isPartial = false

  package init() {}

  package func displayRecords(viewModel: RecordViewModel) {
    records += viewModel.records.map(\.withholdingFiles)
    isPartial = viewModel.outcome == nil
  }

  package func displayFetchedImages(viewModel: ListImages.FetchImages.RecordViewModel) {
    images += viewModel.records.map(\.withholdingFiles)
  }

  package func displayEndedFetch(viewModel: ListImages.FetchImages.Ended.ViewModel) {
    next = viewModel.next
  }

  package func displayFailure(viewModel: Fail.ViewModel) { failure = viewModel }
}

/// An error: a page for people, a problem for programs (RFC 9457).
package struct WebProblem: Error, Equatable, Sendable {
  /// The status (RFC 9110, section 15).
  package var status: Int
  /// The description of the problem, the same for all problems of a kind.
  package var title: String
  /// The details of this request's problem; nil when the title is enough.
  package var detail: String?
  /// The path at which a client begins to compare its copy with the library, if it has to.
  package var resync: String?
  /// The number of seconds after which another try makes sense (`Retry-After`, RFC 9110, section 10.2.3).
  package var retryAfter: Int?

  /// The details of a failure of this server, for its log: they may name files of its machine, or its database.
  package var cause: String?

  /// Whether the reader sees only a part of the library, so that the page names no other page.
  package var isOfPart = false

  /// The methods that the address has (`Allow`, RFC 9110, section 10.2.1).
  package var methods: [String] = []

  /// What tells a mirror that an original is withheld because of its place (`ETag`), and not for another reason.
  package var entityTag: String?

  package init(status: Int, title: String, detail: String? = nil, cause: String? = nil) {
    self.status = status
    self.title = title
    self.detail = detail
    self.cause = cause
  }

  /// The problem for the failure of a scene.
  package init(_ failure: Fail.ViewModel) {
    switch failure.outcome {
    case .notFound: self.init(status: 404, title: "Not found")
    case .misused: self = .misused("")
    case .outdated: self.init(status: 409, title: "The list has changed")
    case .unavailable: self.init(status: 503, title: "Not available now")
    case .done, .failed, .partly: self.init(status: 500, title: "The library cannot be used")
    }
    let isOfLibrary = status == 500 || failure.isOfLibrary
    let message = WebMessage(failure.message, isOfLibrary: isOfLibrary)
    (detail, cause) = (message.text, message.cause)
  }

  /// The problem for the failure of a scene of one image.
  ///
  /// If there is no such image, the scene names the command that failed, and the one that lists ids.
  package init(_ failure: Fail.ViewModel, ofImage id: Int64) {
    self.init(failure)
    if failure.outcome == .notFound, !failure.isOfLibrary {
      detail = "this gallery has no image \(id); it may have been removed with its feed"
    }
  }

  /// A request that is itself invalid; the detail says what would be valid.
  package static func misused(_ detail: String) -> WebProblem {
    WebProblem(status: 400, title: "The request is not valid", detail: detail)
  }

  /// A request with a method that the address does not have.
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

  package func html(on site: Site) -> HTML {
    """
    \(site.head(title: title))
    \(site.bar())
    <main id="main" class="error">
    <p class="status">\(status)</p>
    <h1>\(title)</h1>
    <p>\(detail ?? "")</p>
    <p><a href="\(site.basePath)/">\(site.listName)</a></p>
    </main>
    <script type="module" src="\(site.assets)/core.js"></script>
    \(Site.foot)
    """
  }
}
