import Models
import Workers

extension Wording {
  /// Something of a sync that is no problem.
  static func notice(_ notice: SyncNotice) -> String {
    switch notice {
    case .waiting(let holder, let feed):
      "\(lock(holder, on: quoted(feed.masked))) — waiting for it"
    case .moved(let former, let address):
      "\(quoted(former.masked)) has moved for good: its address is \(quoted(address.masked)) from"
        + " now on — the old one still means it"
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
