import ArgumentParser
import Workers

/// The value of an option for how many images are kept: a number, or `all`.
struct CountArgument: Equatable {
  let setting: FeedSetting<Int>

  /// Reads a value from 1 to 1,000,000,000; nil for anything else.
  init?(_ text: String) {
    if text == "all" {
      setting = .usual
      return
    }
    guard let number = Int(text), (1...1_000_000_000).contains(number) else { return nil }
    setting = .given(number)
  }

  /// The value, or a message with examples.
  static func parse(_ text: String) throws -> CountArgument {
    guard let count = CountArgument(text) else {
      throw ValidationError("'\(text)' is no number of images; 500 and all are")
    }
    return count
  }
}
