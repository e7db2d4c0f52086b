import ArgumentParser

@main
struct GalleryCommand: AsyncParsableCommand {
  static let name = "gallery"
  static let commands: [any AsyncParsableCommand.Type] = [
    SyncCommand.self, ListCommand.self, ShowCommand.self, FeedsCommand.self, RemoveCommand.self,
    VerifyCommand.self, CleanCommand.self,
  ]

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Keeps image feeds on your own disk: syncs them, lists them, shows their pictures.",
    discussion: """
      Follow a feed and see what it has:

        gallery sync https://example.com/photos.xml
        gallery list
        gallery show 1

      Listing and showing what is stored never waits for the network.

      The options that all commands have (--cache, --json, --quiet, --verbose) may stand before the \
      command, too.

      Exit status: 0 done; 1 failed; 2 partly done; 3 no such image or feed; 4 the original \
      is not available now; 64 usage; 130, 143, 129 after an interruption, with what was done kept.

      The library is in the folder that --cache names, else $GALLERY_CACHE, else the Cache of the \
      checkout when the program runs from its .build, else $XDG_DATA_HOME/gallery \
      (~/.local/share/gallery).
      """,
    version: Version.current,
    subcommands: commands
  )
}

/// The whole program as shells are to complete it: the options that may stand before the command count as
/// its own.
///
/// The parser itself never meets them there (`TypedWords`).
struct CompletedCommand: ParsableCommand {
  static let configuration = GalleryCommand.configuration

  @OptionGroup var common: CommonOptions

  /// The script for a shell; nil when the words ask for none.
  static func script(_ words: [String]) -> String? {
    guard words.count == 2, words[0] == "--generate-completion-script" else { return nil }
    return CompletionShell(rawValue: words[1]).map(completionScript)
  }
}
