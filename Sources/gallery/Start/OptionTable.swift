extension GalleryCommand {
  /// The options of every command, in the form of `CommandCatalog.table`.
  ///
  /// A test compares it with the commands. When they change, the test writes this file anew, and says where.
  static let optionTable = #"""
    """#
}
