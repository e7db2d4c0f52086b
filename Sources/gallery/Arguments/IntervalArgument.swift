import ArgumentParser
import Workers

/// The value of an option for the time between two syncs of a feed: `30m`, `6h`, `2d`, or `auto`.
struct IntervalArgument: Equatable {
  /// The seconds, or the usual ones.
  let setting: FeedSetting<Int>

  /// Reads a value from a minute to 30 days; nil for anything else.
  init?(_ text: String) {
    if text == "auto" {
      setting = .usual
      return
    }
    guard let match = text.wholeMatch(of: /([0-9]{1,5})([mhd])/), let number = Int(match.1),
      let unit = ["m": 60, "h": 3_600, "d": 86_400][String(match.2)],
      case let seconds = number * unit, (60...30 * 86_400).contains(seconds)
    else { return nil }
    setting = .given(seconds)
  }

  /// The value, or a message with examples.
  static func parse(_ text: String) throws -> IntervalArgument {
    guard let interval = IntervalArgument(text) else {
      throw ValidationError("'\(text)' is no time from 1m to 30d; 30m, 6h, 2d and auto are")
    }
    return interval
  }
}
