import Store

extension Schema {
  /// The full-text indexes of the first files, which had the texts of rows as SQLite's own tokenizer folds them.
  static let firstSearch =
    wordIndex(of: { $0 }, feed: "feed", tokenizer: "unicode61 remove_diacritics 2") + pairIndex
    + memberTriggers(of: { $0 })

  /// The full-text indexes, which store no text: views give them the words of each row.
  ///
  /// `SearchWriting` keeps them up to date. The words of a member belong to all of its images, but are indexed once:
  /// under the member's id, with a minus sign before it.
  ///
  /// The new name of the column for feeds makes older programs that still have the file open fail when they write words,
  /// which would not be found.
  static let search =
    searchRemoval + wordIndex(of: words, feed: "feed_token", tokenizer: "ascii") + pairIndex
    + memberTriggers(of: words) + """
      INSERT INTO image_search(image_search) VALUES ('rebuild');
      INSERT INTO image_search_pairs(image_search_pairs) VALUES ('rebuild');

      """ + SearchWriting.correctTitleKeys

  static let searchRemoval = """
    DROP TRIGGER IF EXISTS member_insertion;
    DROP TRIGGER IF EXISTS member_deletion;
    DROP TRIGGER IF EXISTS member_change;
    DROP TABLE image_search;
    DROP TABLE image_search_pairs;
    DROP VIEW image_text;
    DROP VIEW image_pairs;

    """

  /// The SQL of a column's folded words (`LetterPairs.rest`), by a function that the program's connections add.
  private static func words(of column: String) -> String { "search_words(\(column), NULL, NULL)" }

  private static func wordIndex(
    of words: (String) -> String,
    feed: String,
    tokenizer: String
  ) -> String {
    """
    CREATE VIEW image_text AS
      SELECT id, \(words("title")) AS title, \(words("caption")) AS caption,
        \(words("author")) AS author, 'f' || feed_id AS \(feed) FROM image
      UNION ALL SELECT -id, \(words("label")), \(words("details")), \(words("attribution")), NULL
      FROM member;
    CREATE VIRTUAL TABLE image_search USING fts5(
      title, caption, author, \(feed),
      content = 'image_text', content_rowid = 'id',
      tokenize = '\(tokenizer)', detail = column, columnsize = 0
    );

    """
  }

  /// The index of `LetterPairs`, which has only images with such letters in their texts.
  ///
  /// Its view needs an SQL function that the program's connections add. A search does not need the function.
  private static let pairIndex = """
    CREATE VIEW image_pairs AS
      SELECT id, letter_pairs(title, caption, author) AS pairs FROM image
      UNION ALL SELECT -id, letter_pairs(label, details, attribution) FROM member;
    CREATE VIRTUAL TABLE image_search_pairs USING fts5(
      pairs, content = 'image_pairs', content_rowid = 'id', tokenize = 'ascii', columnsize = 0
    );

    """

  /// Triggers for the words of members, which are few and are also deleted with their feeds.
  private static func memberTriggers(of words: (String) -> String) -> String {
    let (insertion, deletion) = (insertion(of: words), deletion(of: words))
    return """
      CREATE TRIGGER member_insertion AFTER INSERT ON member
      BEGIN
        \(insertion)
      END;
      CREATE TRIGGER member_deletion AFTER DELETE ON member
      BEGIN
        \(deletion)
      END;
      CREATE TRIGGER member_change AFTER UPDATE OF label, details, attribution ON member
        WHEN (old.label, old.details, old.attribution)
          IS NOT (new.label, new.details, new.attribution)
      BEGIN
        \(deletion)
        \(insertion)
      END;

      """
  }

  private static func insertion(of words: (String) -> String) -> String {
    """
    INSERT INTO image_search(rowid, title, caption, author) VALUES (
      -new.id, \(words("new.label")), \(words("new.details")), \(words("new.attribution"))
    );
    INSERT INTO image_search_pairs(rowid, pairs)
      SELECT -new.id, pairs
      FROM (SELECT letter_pairs(new.label, new.details, new.attribution) AS pairs)
      WHERE pairs IS NOT NULL;
    """
  }

  private static func deletion(of words: (String) -> String) -> String {
    """
    INSERT INTO image_search(image_search, rowid, title, caption, author) VALUES (
      'delete', -old.id, \(words("old.label")), \(words("old.details")), \(words("old.attribution"))
    );
    INSERT INTO image_search_pairs(image_search_pairs, rowid, pairs)
      SELECT 'delete', -old.id, pairs
      FROM (SELECT letter_pairs(old.label, old.details, old.attribution) AS pairs)
      WHERE pairs IS NOT NULL;
    """
  }
}
