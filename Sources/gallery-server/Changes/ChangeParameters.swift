import Web
import Workers

/// The parameters of a request for changes.
struct ChangeParameters {
  /// Nil to begin with nothing.
  var since: ChangeCursor?
  var kinds = Set(ChangedKind.allCases)
  var limit = Limits.changesPerPage
  /// Seconds to wait for a change when there is none.
  var wait = 0

  init(_ parameters: [String: String]) throws(WebProblem) {
    if let text = parameters["since"] {
      guard let cursor = ChangeCursor(text) else {
        throw WebProblem.misused("'since' is no cursor")
      }
      since = cursor
    }
    if let text = parameters["types"] {
      let names = text.split(separator: ",").map(String.init)
      kinds = kinds.filter { names.contains($0.recordName) }
      guard !kinds.isEmpty else {
        throw WebProblem.misused("'types' names none of feed, image and pin")
      }
    }
    if let text = parameters["limit"] {
      guard let number = Int(text), 1...Limits.changesPerPage ~= number else {
        throw WebProblem.misused("'limit' is no number from 1 to \(Limits.changesPerPage)")
      }
      limit = number
    }
    if let text = parameters["wait"] {
      guard let number = Int(text), number >= 0 else {
        throw WebProblem.misused("'wait' is no number of seconds")
      }
      wait = min(number, Limits.changeWaitSeconds)
    }
  }
}
