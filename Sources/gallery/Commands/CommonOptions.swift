import ArgumentParser

/// The options that every command has.
struct CommonOptions: ParsableArguments {
  @Option(
    name: .customLong("cache"),
    help: ArgumentHelp("The library's folder.", valueName: "dir"),
    completion: .directory
  )
  var cache: String?

  @Flag(help: "Print results as JSON, one object a line.")
  var json = false

  @Flag(
    name: .shortAndLong,
    help: "Print results and failures only: no summaries, no progress, no notes."
  )
  var quiet = false

  @Flag(name: .shortAndLong, help: "Log what is done, and every blemish, to standard error.")
  var verbose = false
}
