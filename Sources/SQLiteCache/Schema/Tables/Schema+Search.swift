extension Schema {
  /// The full-text indexes, which store no text: views give them the text of each row.
  ///
  /// `SearchWriting` keeps them up to date. The words of a member belong to all of its images, but are indexed once:
  /// under the member's id, with a minus sign before it.
  static let search = wordIndex + pairIndex + memberTriggers

  private static let wordIndex = """
    CREATE VIEW image_text AS
      SELECT id, title, caption, author, 'f' || feed_id AS feed FROM image
      UNION ALL SELECT -id, label, details, attribution, NULL FROM member;
    CREATE VIRTUAL TABLE image_search USING fts5(
      title, caption, author, feed,
      content = 'image_text', content_rowid = 'id',
      tokenize = 'unicode61 remove_diacritics 2', detail = column, columnsize = 0
    );

    """

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
  private static let memberTriggers = """
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

  private static let insertion = """
    INSERT INTO image_search(rowid, title, caption, author)
      VALUES (-new.id, new.label, new.details, new.attribution);
    INSERT INTO image_search_pairs(rowid, pairs)
      SELECT -new.id, pairs
      FROM (SELECT letter_pairs(new.label, new.details, new.attribution) AS pairs)
      WHERE pairs IS NOT NULL;
    """

  private static let deletion = """
    INSERT INTO image_search(image_search, rowid, title, caption, author)
      VALUES ('delete', -old.id, old.label, old.details, old.attribution);
    INSERT INTO image_search_pairs(image_search_pairs, rowid, pairs)
      SELECT 'delete', -old.id, pairs
      FROM (SELECT letter_pairs(old.label, old.details, old.attribution) AS pairs)
      WHERE pairs IS NOT NULL;
    """
}
