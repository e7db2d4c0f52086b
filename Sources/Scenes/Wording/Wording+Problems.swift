import Models
import Workers

/// What went wrong in a sync, and what else is worth a word.
extension Wording {
  /// Pictures of one feed that could not be had for the same reason, of which there is at least one.
  static func message(_ alike: [SyncProblem], of feed: String) -> String {
    guard let first = alike.first, alike.count > 1 else { return alike.map(message).joined() }
    let (verb, noun) =
      switch first.subject {
      case .original: ("fetch", "original")
      case .madeThumbnail: ("make", "thumbnail")
      default: ("fetch", "thumbnail")
      }
    return cannot(
      verb,
      "\(count(alike.count, noun)) of \(quoted(feed))",
      because: "\(reason(first.failure)), for example \(quoted(first.address.masked))",
      but: rest(after: first)
    )
  }

  /// How a person gets all that a message sums up.
  static let verboseHint = "--verbose lists them"

  /// A problem of a sync, and what becomes of it.
  static func message(_ problem: SyncProblem) -> String {
    let reason = reason(problem.failure)
    let thing = quoted(problem.address.masked)
    if problem.severity == .blemish { return "\(thing) has \(reason) — nothing of it is lost" }
    return cannot(verb(for: problem), thing, because: reason, but: rest(after: problem))
  }

  /// The same as part of a sum, with the words of the library that reported it.
  static func detail(_ problem: SyncProblem) -> String {
    message(problem) + (problem.failure.libraryWords.map { " (\($0))" } ?? "")
  }

  /// The same, where a feed was named without a scheme and nothing came of what that may mean.
  static func message(_ response: ListImages.SyncFeeds.Problem.Response) -> String {
    let problem = response.problem
    if response.isOfEveryFeed, problem.subject == .feed, problem.failure.isLostFile {
      let address = problem.address.masked
      return cannot(
        "sync",
        quoted(address),
        because: reason(problem.failure),
        but: "what is stored stays as it is, and 'gallery remove \(address)' stops following it"
      )
    }
    guard let name = response.guessedFrom else { return message(problem) }
    let reason = reason(problem.failure)
    let both =
      name.web == nil
      ? "no feed has this title, and as a file: \(reason)"
      : "there is no such file, and \(quoted(problem.address.masked)) does not work: \(reason)"
    return cannot("sync", quoted(name.text), because: both, but: rest(after: problem))
  }

  private static func verb(for problem: SyncProblem) -> String {
    switch problem.subject {
    case .feed: "sync"
    case .document: problem.isTakenAddress ? "move" : "read all of"
    case .page: "read"
    case .thumbnail: "fetch the thumbnail"
    case .madeThumbnail: "make a thumbnail of"
    case .making: "make the thumbnails that are missing of"
    case .original: "fetch the original"
    }
  }

  /// What works in spite of a problem.
  private static func rest(after problem: SyncProblem) -> String {
    switch problem.subject {
    case .feed: rest(afterFeed: problem.failure)
    case .document: rest(afterDocument: problem)
    case .page: "the rest of its feed was read"
    case .thumbnail, .madeThumbnail: nextTry(problem.failure, of: "sync")
    case .making: "what the feed names was fetched, and the next sync tries again"
    case .original: nextTry(problem.failure, of: "sync with --originals")
    }
  }

  private static func rest(afterDocument problem: SyncProblem) -> String {
    if case .feed(.beyondBound(_, let stored)) = problem.failure { return rest(beyond: stored) }
    return problem.isTakenAddress ? "both feeds stay as they are" : "the rest was read"
  }

  /// What a feed leaves that has brought more than it may.
  private static func rest(beyond stored: Int) -> String {
    let what =
      switch stored {
      case 0: "no image had been read"
      case 1: "the 1 image that was read is stored, and stays"
      default: "the \(count(stored, "image")) that were read are stored, and stay"
      }
    return "\(what); a sync of the feed with --no-limits reads all of it"
  }

  private static func rest(afterFeed failure: Failure) -> String {
    if case .feed(.beyondBound(_, let stored)) = failure { return rest(beyond: stored) }
    if case .feed(.listedBeyondBound) = failure {
      return "what has come is stored, and later syncs go on; one with --no-limits asks for all"
    }
    guard case .store(let error) = failure else { return "what is stored stays as it is" }
    return rest(after: error) ?? "what is stored stays as it is"
  }

  /// Which sync asks again for a picture that could not be had.
  private static func nextTry(_ failure: Failure, of sync: String) -> String {
    if case .network(let error) = failure, error.reason == .privateAddress {
      return "a sync of the feed with --allow-private tries again"
    }
    return switch failure.pictureClass {
    case .offline, nil: "the next \(sync) tries again"
    case .transient: "a later \(sync) tries again"
    case .permanent: "a \(sync) some days later tries again, one with --retry-failed at once"
    }
  }

  // MARK: Notices

  /// Something of a sync that is no problem.
  static func notice(_ notice: SyncNotice) -> String {
    switch notice {
    case .waiting(let holder, let feed):
      "\(lock(holder, on: quoted(feed.masked))) — waiting for it"
    case .moved(let former, let address):
      "\(quoted(former.masked)) has moved for good: its address is \(quoted(address.masked)) from"
        + " now on — the old address still works"
    case .unlisted(let feed, let list):
      "\(quoted(list.title ?? list.address.masked)) has \(quoted(feed.masked)) no longer"
        + " — it is followed until it is removed"
    case .readFromPipe(let feed):
      "\(quoted(feed.masked)) came through a pipe, and only its pictures are asked for"
        + " — 'gallery sync -' reads another document into it"
    case .paused(let feeds):
      feeds == 1
        ? "1 feed is paused, because its server says that it is gone — \(askingAgain) asks it again"
        : "\(grouped(feeds)) feeds are paused, because their servers say that they are gone —"
          + " \(askingAgain) asks one again"
    }
  }

  private static let askingAgain = "'gallery sync <feed>'"

  /// Who is syncing a feed, and since when.
  static func lock(_ holder: LockHolder?, on feed: String) -> String {
    guard let holder else { return "another process is syncing \(feed)" }
    return "process \(holder.process) has been syncing \(feed) since \(timestamp(holder.since))"
  }
}

extension Failure {
  /// Whether a file that is to be read cannot be, as when it has been deleted.
  fileprivate var isLostFile: Bool {
    if case .network(let error) = self { error.reason == .unreadableFile } else { false }
  }
}

extension SyncProblem {
  fileprivate var isTakenAddress: Bool {
    if case .addressTaken = failure { true } else { false }
  }
}
