package import ArgumentParser
package import Settings
package import Workers

/// The options of commands that store originals, or tell what may be stored.
package struct StorageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Keep at most this much of originals, 20G for example: those that were looked at the longest ago give way \
      to new ones, and pinned ones never do.
      """,
      valueName: "size"
    ),
    transform: SizeArgument.parse
  )
  package var keep: SizeArgument?

  @Option(
    help: ArgumentHelp(
      "Leave at least this much of the disk free of originals, 5G for example.",
      valueName: "size"
    ),
    transform: SizeArgument.parse
  )
  package var keepFree: SizeArgument?

  package init() {}

  package var bounds: StorageBounds {
    StorageBounds(keep: keep?.bytes, keepFree: keepFree?.bytes)
  }
}
