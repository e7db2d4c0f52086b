import FoundationEssentials
import Glibc
import Models
import Store
import Workers

/// The feeds and hosts that processes have locked.
///
/// The locks are leases in a table, so a standby that takes over has them, too. A lease ends when its process has not
/// renewed it for two minutes. It ends at once when the server sees that the session of its process has ended. Each
/// lease has a fence, a number that grows with each holder. With the fence, a process that writes a feed's images
/// proves that it still has the feed.
struct FeedLeases {
  /// The duration of a lease by the server's clock, and the time between renewals, in seconds.
  private static let seconds: Int64 = 120
  static let renewal: Int64 = 40

  /// The number of locks of this process that need each key.
  private var counts: [String: Int] = [:]
  private var fences: [String: Int64] = [:]
  /// The feeds that this process is locking or has locked.
  private var begun: Set<String> = []
  private var isRenewing = false

  /// Returns false when another task of this process has the feed.
  mutating func begin(_ identity: String) -> Bool { begun.insert(identity).inserted }

  mutating func end(_ identity: String) { begun.remove(identity) }

  mutating func hold(_ fences: [String: Int64]) {
    for (key, fence) in fences {
      counts[key, default: 0] += 1
      self.fences[key] = fence
    }
  }

  /// Returns the keys that no other lock needs.
  mutating func release(_ keys: [String]) -> [String] {
    if let identity = keys.first { begun.remove(identity) }
    return keys.filter { key in
      counts[key, default: 1] -= 1
      guard counts[key, default: 0] <= 0 else { return false }
      counts[key] = nil
      fences[key] = nil
      return true
    }
  }

  func fence(_ identity: String) -> Int64? { fences[identity] }

  mutating func startRenewing() -> Bool {
    defer { isRenewing = true }
    return !isRenewing
  }

  /// The keys to renew; when none are left, returns nil and ends the renewals.
  mutating func toRenew() -> [String]? {
    if counts.isEmpty {
      isRenewing = false
      return nil
    }
    return Array(counts.keys)
  }

  // MARK: The table

  enum Result {
    case taken(fences: [String: Int64], serverTime: Int64)
    case held(by: LockHolder)
  }

  /// The timeline of the server's log (postgresql.org/docs/15/continuous-archiving.html, section 26.3.6).
  ///
  /// The server cannot see the sessions of another timeline.
  private static let timeline = "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"

  /// Takes the leases for all keys, or for none of them.
  static func take(
    _ keys: [String],
    for holder: Int64,
    now: Date,
    _ db: Connection
  ) throws -> Result {
    let sql = """
      INSERT INTO feed_lock AS held
        (identity, holder, machine, process, since, leased_until, timeline, session, fence)
      SELECT key, $2, $3, $4, $5, now_seconds() + \(seconds), \(timeline), pg_backend_pid(),
        nextval('lock_fence')
      FROM unnest($1::text[]) AS key
      ON CONFLICT (identity) DO UPDATE SET holder = excluded.holder, machine = excluded.machine,
        process = excluded.process, since = excluded.since, leased_until = excluded.leased_until,
        timeline = excluded.timeline, session = excluded.session, fence = excluded.fence
      WHERE held.holder = excluded.holder OR held.leased_until < now_seconds()
        OR held.timeline = excluded.timeline
          AND NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = held.session)
      RETURNING identity, fence, \(PostgresLibrary.serverTime)
      """
    try db.begin(.writing)
    do {
      // Processes that want the same keys take them in the same order, so they do not wait for each other.
      let rows = try db.rows(sql, keys.sorted(), holder, machine, process, now.storedSeconds)
      let taken = try rows.map { row in try (row.value(0) as String, row.value(1) as Int64) }
      // A damaged table may have a key twice; the newest fence counts.
      let fences = Dictionary(taken, uniquingKeysWith: max)
      if let held = keys.first(where: { fences[$0] == nil }) {
        let other = try self.holder(of: held, db)
        try db.rollBack()
        return .held(by: other ?? LockHolder(process: 0, since: now))
      }
      try db.commit()
      let time: Int64 = try rows.first.map { try $0.value(2) } ?? now.storedSeconds
      return .taken(fences: fences, serverTime: time)
    } catch {
      if db.postgres.isOpen { try db.rollBack() }
      throw error
    }
  }

  private static func holder(of key: String, _ db: Connection) throws -> LockHolder? {
    let sql = "SELECT process, since FROM feed_lock WHERE identity = $1"
    return try db.rows(sql, key).first.map { row in
      try LockHolder(process: row.value(0), since: Date(storedSeconds: row.value(1)))
    }
  }

  // MARK: Nodes

  static let machine = ProcessInfo.processInfo.hostName
  private static let process = Int64(getpid())
  /// The name of this process's sessions; the server may truncate it.
  static let sessionName = "gallery \(process) on \(machine)"

  /// Takes a shared lock for the time of the session.
  ///
  /// It distinguishes the sessions of this library from others of the database.
  static let useNote = "pg_advisory_lock_shared(\(useClass), 'library'::regclass::oid::integer)"
  /// "node" in ASCII.
  private static let useClass = 1_852_793_957

  /// The other processes that have this library open or hold a lease.
  static func nodes(_ db: Connection) throws -> [Node] {
    var nodes = try sessions(db)
    for lease in try leases(db) {
      // The server truncates long names.
      let index = nodes.firstIndex {
        $0.process == lease.process && lease.machine.hasPrefix($0.machine)
      }
      if let index {
        nodes[index].machine = lease.machine
        nodes[index].feeds += lease.feeds
      } else {
        nodes.append(lease)
      }
    }
    return nodes.sorted { ($0.machine, $0.process) < ($1.machine, $1.process) }
  }

  /// The other processes with a session, without their feeds.
  private static func sessions(_ db: Connection) throws -> [Node] {
    let sql = """
      SELECT application_name, extract(epoch FROM min(backend_start))::bigint FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'gallery % on %'
        AND application_name <> current_setting('application_name') AND pid IN (
          SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = \(useClass)
            AND objid = 'library'::regclass AND objsubid = 2
        )
      GROUP BY 1
      """
    return try db.rows(sql).compactMap { row in
      let words = (try row.value(0) as String).split(separator: " ", maxSplits: 3)
      guard words.count == 4, let process = Int(words[1]) else { return nil }
      let since = Date(storedSeconds: try row.value(1))
      return Node(machine: String(words[3]), process: process, since: since)
    }
  }

  /// The leases of other processes, each as a node with one feed.
  private static func leases(_ db: Connection) throws -> [Node] {
    let sql = """
      SELECT machine, process, since, identity, feed.id, coalesce(given_title, title), address
      FROM feed_lock LEFT JOIN feed USING (identity)
      WHERE leased_until >= now_seconds() AND identity NOT LIKE 'host %'
        AND (timeline <> \(timeline) OR EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = session))
      ORDER BY since, identity
      """
    return try db.rows(sql).compactMap { row in
      let (machine, process): (String, Int) = try (row.value(0), row.value(1))
      if machine == Self.machine, process == Self.process { return nil }
      let since = Date(storedSeconds: try row.value(2))
      let feed = SyncedFeed(
        id: try row.value(4),
        title: try row.value(5),
        address: try row.value(6) ?? row.value(3),
        since: since
      )
      return Node(machine: machine, process: process, since: since, feeds: [feed])
    }
  }

  /// The leases of a process, locked in the same order as in `take`; otherwise two processes could wait for each other.
  private static let own = """
    WITH own AS MATERIALIZED (
      SELECT identity FROM feed_lock WHERE holder = $1 AND identity = ANY($2::text[])
      ORDER BY identity FOR UPDATE
    )
    """

  static func renew(_ keys: [String], of holder: Int64, _ db: Connection) throws {
    let sql = """
      \(own)
      UPDATE feed_lock SET leased_until = now_seconds() + \(seconds), timeline = \(timeline),
        session = pg_backend_pid()
      FROM own WHERE feed_lock.identity = own.identity
      """
    try db.rows(sql, holder, keys)
  }

  static func delete(_ keys: [String], of holder: Int64, _ db: Connection) throws {
    if keys.isEmpty { return }
    let sql = "\(own) DELETE FROM feed_lock USING own WHERE feed_lock.identity = own.identity"
    try db.rows(sql, holder, keys)
  }

  /// Whether a feed is still locked with a fence.
  ///
  /// No process can take the feed over until the transaction ends.
  static func holds(
    _ identity: String,
    fence: Int64,
    _ db: Connection
  ) throws -> Bool {
    let sql = "SELECT 1 FROM feed_lock WHERE identity = $1 AND fence = $2 FOR SHARE"
    return try db.hasRow(sql, identity, fence)
  }
}
