import ArgumentParser
import Terminal

/// The options of commands that draw pictures.
struct PictureOptions: ParsableArguments {
  @Option(
    help: """
      When pictures are drawn: auto, on a terminal; always, through a pipe, too; never.
      """
  )
  var pictures: PictureMode = .auto
}
