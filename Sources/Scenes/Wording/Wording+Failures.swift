import Models
package import Workers

extension Wording {
  /// Why something could not be had, read or kept.
  package static func reason(_ failure: Failure) -> String {
    switch failure {
    case .network(let error): reason(error)
    case .status(let status): "the server answered \(answer(status))"
    case .gone:
      "the server says that it is gone (410), and it is not asked again unless it is named"
    case .feed(let error): reason(error)
    case .store(let error): reason(error)
    case .imaging(let error): reason(error)
    case .notAPicture(let kind): "what came is no picture but \(kind)"
    case .cutPicture(let format): "the \(name(of: format)) picture ends too early"
    case .warning(let text): clause(text)
    case .addressTaken(let target):
      "it has moved for good to \(quoted(target.masked)), which is another feed's address"
    case .locked(let holder): lock(holder, on: "it")
    case .offline: "the original is not stored, and the network was not to be asked"
    case .notFollowed: "no feed that is followed names it"
    case .interrupted: "interrupted"
    case .overBudget: "it would take more than the budget of this run"
    }
  }

  /// A transfer's failure: in our words where we set the limit, else in the transfer library's own.
  static func reason(_ error: NetworkError) -> String {
    switch error.reason {
    case .cancelled: "interrupted"
    case .tooLarge(let limit): "larger than the limit of \(size(limit))"
    case .privateAddress:
      "\(clause(error.message)), which its feed may reach only once it is synced with --allow-private"
    case .forbiddenAddress: "\(clause(error.message)), which is never asked"
    case .paused(let date): "the server asks to wait until \(localTime(date))"
    case .tooManyRedirects(let limit): "more than \(count(limit, "redirect"))"
    default: clause(error.message)
    }
  }

  static func reason(_ error: FeedError) -> String {
    switch error {
    case .notAFeed(let kind): "not a feed but \(kind)"
    case .malformed(let reason): "damaged beyond reading: \(clause(reason))"
    case .beyondLimit(let what, let limit): "\(what) beyond the limit of \(limit)"
    case .noParser(let reason):
      "cannot be read without libxml2, and what is stored can: \(clause(reason))"
    }
  }

  static func reason(_ error: StoreError) -> String {
    switch error.reason {
    case .noLibrary: "there is no library at \(quoted(error.path)) yet"
    case .newer:
      "\(quoted(error.path)) was made by a later version of gallery: \(clause(error.message))"
    case .foreign: "\(quoted(error.path)) is no library of gallery's: \(clause(error.message))"
    case .unreadable: "\(quoted(error.path)) is damaged or no library: \(clause(error.message))"
    case .unsound: "\(quoted(error.path)) is damaged: \(clause(error.message))"
    case .linked: "\(quoted(error.path)) is a link to \(quoted(error.message))"
    case .forbidden: "\(quoted(error.path)) cannot be read: \(clause(error.message))"
    case .unfinishedLog:
      "\(quoted(error.path)) has changes that can be read only where it can be written"
    case .full: "no space is left for \(quoted(error.path))"
    case .readOnly: "\(quoted(error.path)) cannot be written: \(clause(error.message))"
    case .busy: "another program has held \(quoted(error.path)) for too long"
    case .tooManyWords(let limit): "more than \(count(limit, "word"))"
    case .other: "\(quoted(error.path)): \(clause(error.message))"
    }
  }

  static func reason(_ error: ExportError) -> String {
    switch error {
    case .exists: "it exists"
    case .notAFile: "it is no file"
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
