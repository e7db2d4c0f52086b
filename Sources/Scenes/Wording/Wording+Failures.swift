import Models
package import Workers

extension Wording {
  /// Why something could not be had, read or kept.
  package static func reason(_ failure: Failure) -> String {
    switch failure {
    case .network(let error): reason(error)
    case .status(let status): "the server answered \(answer(status))"
    case .feed(let error): reason(error)
    case .store(let error): reason(error)
    case .imaging(let error): reason(error)
    case .notAPicture(let kind): "what came is no picture but \(kind)"
    case .cutPicture(let format): "the \(name(of: format)) picture ends too early"
    case .warning(let text): clause(text)
    case .offline: "the original is not stored, and the network was not to be asked"
    case .interrupted: "interrupted"
    }
  }

  /// A transfer's failure: in our words where we set the limit, else in the transfer library's own.
  static func reason(_ error: NetworkError) -> String {
    switch error.reason {
    case .cancelled: "interrupted"
    case .tooLarge(let limit): "larger than the limit of \(size(limit))"
    case .tooManyRedirects(let limit): "more than \(count(limit, "redirect"))"
    default: clause(error.message)
    }
  }

  static func reason(_ error: FeedError) -> String {
    switch error {
    case .notAFeed(let kind): "not a feed but \(kind)"
    case .malformed(let reason): "damaged beyond reading: \(clause(reason))"
    case .beyondLimit(let what, let limit): "\(what) beyond the limit of \(limit)"
    }
  }

  static func reason(_ error: StoreError) -> String {
    switch error.reason {
    case .noLibrary: "there is no library at \(quoted(error.path)) yet"
    case .newer: "the library at \(quoted(error.path)) was made by a later version of gallery"
    case .unreadable: "\(quoted(error.path)) is damaged or no library: \(clause(error.message))"
    case .full: "no space is left for \(quoted(error.path))"
    case .readOnly: "\(quoted(error.path)) cannot be written: \(clause(error.message))"
    case .busy: "another program has held \(quoted(error.path)) for too long"
    case .other: "\(quoted(error.path)): \(clause(error.message))"
    }
  }

  static func reason(_ error: ExportError) -> String {
    switch error {
    case .exists: "it exists"
    case .closed: "nobody reads it"
    case .unwritable(_, let message), .unreadable(_, let message): clause(message)
    }
  }

  /// A status with its meaning where people know it by that (RFC 9110, section 15).
  private static func answer(_ status: Int) -> String {
    let meanings = [
      401: "authentication is needed", 403: "forbidden", 404: "not found", 410: "gone",
      429: "too many requests", 500: "an error of its own", 503: "not available now",
    ]
    return meanings[status].map { "\(status) (\($0))" } ?? "\(status)"
  }
}
