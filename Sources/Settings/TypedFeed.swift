import FoundationEssentials
package import Workers

extension FeedArgument {
  /// Reads a feed as a user names it, with paths relative to the working folder, or to the home after `~`.
  package static func typed(_ text: String) -> FeedArgument {
    FeedArgument(
      expanded(text.trimmed),
      relativeTo: FileManager.default.currentDirectoryPath,
      isFolder: FeedArgument.isFolder,
      fileExists: FileManager.default.fileExists
    )
  }

  /// A path or a `file:` address below the user's home, without the `~` that no shell has expanded.
  private static func expanded(_ text: String) -> String {
    for scheme in ["file://", "file:"] where text.hasPrefix(scheme + "~/") {
      return "file://" + HomePath.expanded(String(text.dropFirst(scheme.count)))
    }
    return FileManager.default.fileExists(atPath: text) ? text : HomePath.expanded(text)
  }
}
