extension Schema {
  /// The index keeps no text of its own: `image_text` gives it the text of a row.
  ///
  /// `SearchWriting` keeps it in step.
  static let search = """
    CREATE VIEW image_text AS
      SELECT id, title, caption, author, 'f' || feed_id AS feed FROM image;
    CREATE VIRTUAL TABLE image_search USING fts5(
      title, caption, author, feed,
      content = 'image_text', content_rowid = 'id',
      tokenize = 'unicode61 remove_diacritics 2', detail = column, columnsize = 0
    );

    """
}
