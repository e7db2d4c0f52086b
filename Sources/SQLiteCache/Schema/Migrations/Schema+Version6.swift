extension Schema {
  /// That the feed of an image is there is checked at the end of a transaction, and not with each row: a
  /// statement that may fail by itself has SQLite copy every page before it first changes it.
  ///
  /// Only the text of the table's own statement says so in a file, and may be changed in place
  /// (sqlite.org/lang_altertable.html, section 7). To connections that are open it makes no difference which
  /// of both texts they have read.
  static let version6 = """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(
      sql, 'REFERENCES feed(id)', 'REFERENCES feed(id) DEFERRABLE INITIALLY DEFERRED'
    ) WHERE type = 'table' AND name = 'image';
    PRAGMA writable_schema = RESET;

    """
}
