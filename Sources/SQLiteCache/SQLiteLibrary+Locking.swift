package import FoundationEssentials
import Glibc
package import Models
package import Workers

extension SQLiteLibrary: FeedLocking {
  package func lockFeed(at address: WebAddress, now: Date) throws(StoreError) -> FeedLockResult {
    _ = try connection.opened()
    if !FileSystem.isFolder(folder.locks) { _ = try FileSystem.makeFolder(folder.locks) }
    let path = folder.lock(feedAt: address)
    guard let lock = try FileLock.take(path) else {
      return .held(by: LockHolder(text: FileLock.text(of: path)))
    }
    lock.write(LockHolder(process: Int(getpid()), since: now).text)
    return .taken(lock)
  }
}
