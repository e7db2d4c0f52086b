import Testing

/// What a real document holds, worked out by reading it.
struct Expected: Sendable, CustomTestStringConvertible {
  let file: String
  var title: String?
  var count = 0
  var first: Expectation.Image?
  var last: Expectation.Image?
  var isDamaged = false

  var testDescription: String { file }

  /// One image.
  static func single(
    _ file: String,
    title: String?,
    _ image: Expectation.Image,
    isDamaged: Bool = false
  ) -> Expected {
    Expected(file: file, title: title, count: 1, first: image, last: image, isDamaged: isDamaged)
  }
}
