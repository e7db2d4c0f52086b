/// The commands that messages suggest, which people copy: each one is for the library that the message is about.
package enum SuggestedCommand {
  /// The value of `--cache` as the user typed it, with a password masked; nil if commands find the library without it.
  @TaskLocal package static var library: String?

  /// How to ask whether the library is a backup, which commands can read but not change.
  ///
  /// It is a type of its own, because an optimised program crashes when a task-local value is a function (Swift 6.3).
  package struct BackupQuestion: Sendable {
    private let ask: @Sendable () -> Bool

    package init(_ ask: @escaping @Sendable () -> Bool) { self.ask = ask }

    package var isBackup: Bool { ask() }
  }

  /// Asked only for a message that would suggest a change.
  @TaskLocal package static var backupQuestion = BackupQuestion { false }

  /// The beginning of each command.
  package static var program: String {
    library.map { "gallery --cache \(ShellWord.quoted($0))" } ?? "gallery"
  }

  /// The command with some words, in quotation marks.
  package static func quoted(_ words: String) -> String { quoted(whole: "\(program) \(words)") }

  /// A command that names its own library, or needs none, in quotation marks: double ones around those of a shell.
  package static func quoted(whole command: String) -> String {
    command.contains("'") ? "\"\(command)\"" : "'\(command)'"
  }
}
