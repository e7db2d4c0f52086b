import ArgumentParser
import Models
package import Workers

/// The user's settings of a feed, in 'gallery feeds set' and in the feed's table of the configuration file.
package struct FeedChangeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The title; '' restores the feed's own.", valueName: "title"))
  var title: String?

  @Option(
    help: ArgumentHelp(
      """
      How often a program that keeps running asks for the feed: 30m, 6h, 2d; 'auto' learns it from the \
      feed's changes.
      """,
      valueName: "time"
    ),
    transform: FeedSetting.interval
  )
  var every: FeedSetting<Int>?

  @Option(
    help: ArgumentHelp(
      "Keep this many of the feed's newest images, and take older ones away with each sync; 'all' keeps all.",
      valueName: "n"
    ),
    transform: FeedSetting.count
  )
  var keep: FeedSetting<Int>?

  @Option(
    help: ArgumentHelp(
      "Keep the originals of this many of the feed's newest images; 'all' keeps all.",
      valueName: "n"
    ),
    transform: FeedSetting.count
  )
  var keepOriginals: FeedSetting<Int>?

  @Option(
    help: ArgumentHelp(
      """
      The images of an entry: 'all' that it shows, or only the picture in 'front' of its text, if it \
      names one.
      """,
      valueName: "choice"
    ),
    completion: .list(ImageChoice.allCases.map(\.rawValue)),
    transform: FeedSetting.images
  )
  var images: FeedSetting<ImageChoice>?

  package init() {}

  package func validate() throws {
    guard let title else { return }
    if title.unicodeScalars.count > 200 {
      throw ValidationError("--title takes at most 200 characters")
    }
    // A command that names the feed by such a title would be about other feeds, with these ids.
    if let line, IDList(line) != nil {
      throw ValidationError(
        "'\(line)' cannot be a title, because commands read numbers and ranges as the ids of feeds; 'Photos \(line)' can"
      )
    }
  }

  /// The title in one line; empty if it restores the feed's own, and nil if it is not given.
  private var line: String? {
    title?.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
  }

  /// The change that the options make; the title is reduced to one line.
  package var change: FeedChange {
    FeedChange(
      title: line.map { FeedSetting($0.isEmpty ? nil : $0) },
      interval: every,
      images: keep,
      originals: keepOriginals,
      imageChoice: images
    )
  }
}

extension FeedSetting<Int> {
  /// Reads the interval between two syncs of a feed, from a minute to 30 days: `30m`, `6h`, `2d`, or `auto`.
  ///
  /// - Throws: A message with examples.
  package static func interval(_ text: String) throws -> Self {
    if text == "auto" { return .usual }
    guard let match = text.wholeMatch(of: /([0-9]{1,5})([mhd])/), let number = Int(match.1),
      let unit = ["m": 60, "h": 3_600, "d": 86_400][String(match.2)],
      case let seconds = number * unit, (60...30 * 86_400).contains(seconds)
    else {
      throw ValidationError("'\(text)' is not a time from 1m to 30d; 30m, 6h, 2d and auto are")
    }
    return .given(seconds)
  }

  /// Reads the number of images to keep, from 1 to 1,000,000,000, or `all`.
  ///
  /// - Throws: A message with examples.
  package static func count(_ text: String) throws -> Self {
    if text == "all" { return .usual }
    guard let number = Int(text), (1...1_000_000_000).contains(number) else {
      throw ValidationError("'\(text)' is not a number of images; 500 and all are")
    }
    return .given(number)
  }
}

extension FeedSetting<ImageChoice> {
  /// Reads which pictures of an entry are images: `all` or `front`.
  ///
  /// - Throws: A message with both words.
  package static func images(_ text: String) throws -> Self {
    guard let choice = ImageChoice(rawValue: text) else {
      throw ValidationError("'\(text)' is not a choice of images; all and front are")
    }
    return choice == .all ? .usual : .given(choice)
  }
}
