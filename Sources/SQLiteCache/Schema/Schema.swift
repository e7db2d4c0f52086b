/// The tables of `gallery.sqlite`.
///
/// Until the first release there is one version: a change is made in `Tables/`. After it, a migration is
/// added for each change and none is ever changed. Its number is its place in the list, and the file's
/// `user_version` is the number of the last one that ran, so a reader learns from the file's first page
/// whether it can read it.
///
/// Seven groups of tables. `feed` and `image` are what feeds say; `member` and `member_image` which
/// document of a collection says it, and `listed_feed` what lists of feeds have. `thumbnail` says where the small pictures are in the files of
/// `thumbnails/`, which `pack` and `pack_hole` describe. `original` is one row a
/// file in `originals/`, and `image_original` ties images to those files: two images with the same
/// picture share one. `image_search` is the full-text index over `image`, written with each image
/// (`SearchWriting`); its column `feed` holds only a token for the feed, so that a feed's new title
/// costs nothing; `image_search_pairs` is beside it for scripts without blanks (`LetterPairs`). `host` and `picture_failure` remember what servers have refused, and for how long.
///
/// Dates are whole seconds since 1970, addresses are as the feed wrote them.
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
