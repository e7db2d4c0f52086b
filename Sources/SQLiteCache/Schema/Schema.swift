/// The tables of `gallery.sqlite`.
///
/// Until the first release there is one version: change it in `Tables/`. After it, every change adds a
/// migration, and no migration is ever changed. The `user_version` of a file is the number of its last
/// migration, so a reader learns from the file's first page whether it can read it.
///
/// - `feed` and `image`: what feeds say. `member` and `member_image`: the documents of collections, and
///   which images each of them has. `listed_feed`: the feeds of lists of feeds.
/// - `thumbnail`: where each thumbnail is in the files of `thumbnails/`, which `pack` and `pack_hole`
///   describe.
/// - `original`: a row for each file in `originals/`. `image_original`: which image has which file; two
///   images with the same picture share one.
/// - `image_search`: the full-text index over `image`, written with each image (`SearchWriting`). Its
///   column `feed` has only a token for the feed, so that a new title of a feed costs nothing.
///   `image_search_pairs`: the index for scripts without blanks (`LetterPairs`).
/// - `host` and `picture_failure`: what servers have refused, and until when.
///
/// Dates are whole seconds since 1970. Addresses are as the feed wrote them. See Documentation/Store.md.
enum Schema {
  /// Says in the file's header that it is ours: "Galy" (PRAGMA application_id).
  static let applicationID: Int64 = 0x4761_6C79

  /// The migrations, first to last, each a list of statements.
  ///
  /// The first makes the tables of a new file.
  static let migrations: [String] = [feeds + images + pictures + refusals + search]

  /// The number of the last migration.
  static var version: Int64 { Int64(migrations.count) }
}
