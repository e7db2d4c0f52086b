import Store
import Workers

/// The tables of `gallery.sqlite`.
///
/// Every change adds a migration, and no migration is ever changed. The `user_version` of a file is the number of its last
/// migration, so a reader learns from the file's first page whether it can read it.
///
/// - `feed` and `image`: the feeds and their images. `member` and `member_image`: the documents of collections, and
///   which images each of them has. `listed_feed`: the feeds of lists of feeds.
/// - `thumbnail`: the location of each thumbnail in the files of `thumbnails/`, which `pack` and `pack_hole`
///   describe.
/// - `original`: a row for each file in `originals/`. `image_original`: which image has which file; two
///   images with the same picture share one.
/// - `image_search`: the full-text index over `image`, written with each image (`SearchWriting`). Its
///   column `feed_token` has only a token for the feed, so that a new title of a feed costs nothing.
///   `image_search_pairs`: the index for scripts without blanks (`LetterPairs`).
/// - `library`, `pin` and `tombstone`: the change log, with the columns `change_seq` (`ChangeLog`).
/// - `mirror` and its tables: the galleries that are mirrored, and the rows that are copies of theirs. `mirror_key`:
///   the keys with which these galleries sign.
/// - `followed_folder`: the folders to which each sync exports.
/// - `original_use`: the order in which originals are evicted (`BoundQueries`).
/// - `feed_schedule`: when a program that keeps running asks for each feed.
/// - `feed_retention`: how many images of each feed are kept.
/// - `feed_pictures`: which pictures of each feed's entries are images (`FeedPictureQueries`).
/// - `feed_hub` and `subscription`: the hubs that feeds name, and the subscriptions there.
/// - `rendition`: the other renditions of images, from which a picture comes when the first choice cannot be had.
/// - `put_original` and `away_original`: which originals an object store has, and which it alone has.
/// - `successor`, `replaced_original` and `picture_redirect`: the newer pictures beside stored ones, the originals that
///   others have replaced, and the pictures that came by a redirect (`SuccessorQueries`).
/// - `folder_original`: the originals that are files of folders which are feeds, and stay there (`FolderQueries`).
/// - `picture_details`: what cameras have written into originals, by the hashes of these (`DetailQueries`).
/// - `host` and `picture_failure`: the pauses that hosts have asked for, and the pictures that could not be fetched or
///   made.
///
/// Dates are whole seconds since 1970. Addresses are as the feed wrote them. See Documentation/Store.md.
enum Schema {
  /// Marks a file as ours in its header: "Galy" (PRAGMA application_id).
  static let applicationID: Int64 = 0x4761_6C79

  /// The same for the unfinished copy of another library: "Galc".
  static let unfinishedID: Int64 = 0x4761_6C63

  /// The statements of a migration.
  struct Migration {
    /// The new tables.
    var tables: String
    /// Everything else: indexes, triggers, rows.
    var rest = ""
  }

  /// The migrations, first to last.
  ///
  /// The first makes the tables of a new file. Later ones add tables and no columns: a connection that only reads
  /// an older file makes the missing tables for itself (`SchemaSetup.addMissingTables`).
  static let migrations = [
    Migration(tables: feeds + images + pictures + refusals + firstSearch + changes + mirrors),
    Migration(tables: exports),
    Migration(tables: boundTables, rest: boundRest),
    Migration(tables: schedules),
    Migration(tables: retention, rest: retiredIndex),
    Migration(tables: subscriptions),
    Migration(tables: objectTables, rest: objectRest),
    Migration(tables: mirrorKeys),
    Migration(tables: "", rest: roomOnDisk),
    Migration(tables: renditions, rest: ThumbnailWriting.turnFailed),
    Migration(tables: successors, rest: successorIndexes + SuccessorQueries.askForOutdated),
    Migration(tables: feedPictures),
    Migration(tables: folderOriginals, rest: folderIndex),
    Migration(tables: "", rest: search),
    Migration(tables: details),
    Migration(tables: "", rest: detailIndexes),
  ]

  /// The number of the last migration.
  static var version: Int64 { Int64(migrations.count) }
}

/// Brings a file that may be written to the newest version.
enum SchemaSetup {
  /// Applies the settings that must precede a file's first table and hold for the file's whole life.
  ///
  /// An empty file needs no rollback journal, whose creation would wait for the disk eight times. The file's only page
  /// is written in one piece, and a power cut leaves at worst zeros, which count as an empty file. The switch to the
  /// write-ahead log, which comes next, flushes the page. A file that has been switched must not be switched back,
  /// since readers may have it open.
  static func prepareEmptyFile(_ db: Connection) throws {
    if try db.value("PRAGMA journal_mode") == "wal" { return }
    try db.execute(
      """
      PRAGMA journal_mode = MEMORY;
      PRAGMA synchronous = OFF;
      PRAGMA page_size = \(Limits.pageBytes);
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA synchronous = FULL;
      """
    )
  }

  /// Runs the migrations that a file has not seen, all in one transaction; an unfinished copy stays one.
  static func migrate(
    _ db: Connection,
    _ migrations: [Schema.Migration] = Schema.migrations
  ) throws {
    try db.transaction(.writing) { db in
      let version = try FileVersion(db)
      var seen = 0
      switch version {
      case .ours(let number): seen = max(0, Int(number))
      case .unfinished: seen = try max(0, db.value("PRAGMA user_version") ?? 0)
      default: break
      }
      for migration in migrations.dropFirst(seen) {
        try db.execute(migration.tables + migration.rest)
      }
      try db.execute(
        """
        PRAGMA application_id = \(version == .unfinished ? Schema.unfinishedID : Schema.applicationID);
        PRAGMA user_version = \(max(seen, migrations.count));
        """
      )
    }
  }

  /// Gives a connection that only reads an older file its own empty tables in place of those that the file lacks.
  static func addMissingTables(to version: Int64, _ db: Connection) throws {
    for migration in Schema.migrations.dropFirst(max(0, Int(version))) {
      try db.execute(migration.tables.replacing("CREATE TABLE", with: "CREATE TEMP TABLE"))
    }
  }
}

/// The owner of a database file, and how far the file has been migrated.
enum FileVersion: Equatable {
  /// A file without tables: created, but not set up yet.
  case empty
  /// One of ours, and the number of its last migration.
  case ours(Int64)
  /// One of a development version from before 26 November 2026, whose tables had other columns under the same numbers.
  case early
  /// One of ours that is an unfinished copy of another library.
  case unfinished
  /// One with our tables, but without the numbers of its header, which `.dump` of SQLite's program does not write.
  case unnumbered
  case foreign

  /// Reads the version with one statement, and so from one state of the file.
  ///
  /// Between two statements, another process could make the first tables.
  init(_ db: Connection) throws {
    let sql = """
      SELECT (SELECT application_id FROM pragma_application_id),
        (SELECT user_version FROM pragma_user_version),
        EXISTS (SELECT 1 FROM sqlite_schema),
        (SELECT sql LIKE '%position INTEGER%change_seq%' FROM sqlite_schema WHERE name = 'image')
      """
    let version = try db.row(sql) { row in
      try Self(
        id: row.value(0),
        version: row.value(1),
        hasTables: row.value(2),
        hasOurColumns: row.value(3)
      )
    }
    guard let version else { throw UnexpectedAnswer("the file does not say whose it is") }
    self = version
  }

  /// `hasOurColumns` says whether the table of images has the columns of this program; nil without such a table.
  private init(id: Int64, version: Int64, hasTables: Bool, hasOurColumns: Bool?) {
    switch id {
    case Schema.applicationID: self = hasOurColumns == false ? .early : .ours(version)
    case Schema.unfinishedID: self = .unfinished
    case 0 where version == 0 && hasOurColumns == true: self = .unnumbered
    default: self = id == 0 && version == 0 && !hasTables ? .empty : .foreign
    }
  }

  /// Throws for a file that this program cannot read.
  func check(path: String) throws(StoreError) {
    switch self {
    case .ours(let version) where version > Schema.version:
      throw StoreError(
        reason: .newer,
        path: path,
        message: "its version is \(version), this program knows up to \(Schema.version)"
      )
    case .ours(let version) where version < 1:
      let message = "its version is \(version), which there never was"
      throw StoreError(reason: .unreadable, path: path, message: message)
    case .early: throw StoreError(reason: .older, path: path, message: "")
    case .unfinished: throw StoreError(reason: .unfinishedCopy, path: path, message: "")
    case .unnumbered:
      let message = "it has the tables of a library without their version, as after '.dump'"
      throw StoreError(reason: .unreadable, path: path, message: message)
    case .foreign:
      throw StoreError(reason: .foreign, path: path, message: "not made by this program")
    case .ours, .empty: break
    }
  }
}
