/// Inputs made from a target's seeds, the same in every run.
///
/// They find less than libFuzzer's inputs, which follow the code's behaviour. But every run of the tests finds an error
/// that one input in a few hundred causes.
struct Mutations: Sequence, IteratorProtocol {
  /// Words that random changes are unlikely to produce, for all targets.
  private static let numbers = ["-1", "0", "2147483648", "9223372036854775807", "1e999"]
    .map { Array($0.utf8) }
  private static let longest = 8_192
  /// The minimum cost of an input, in bytes.
  private static let leastCost = 256

  private let seeds: [[UInt8]]
  private let words: [[UInt8]]
  private var choices: Choices
  /// The remaining number of bytes.
  private var rest: Int

  /// Creates inputs with this many bytes in total.
  init(of target: any FuzzTarget, bytes: Int) {
    seeds = target.inputs.map { Array($0.prefix(Self.longest)) }
    words = FuzzWords.read(target.dictionary) + Self.numbers
    choices = Choices(Array(target.name.utf8))
    rest = bytes
  }

  mutating func next() -> [UInt8]? {
    guard rest > 0, var input = seeds.randomElement(using: &choices) else { return nil }
    for _ in 0...Int.random(in: 0..<4, using: &choices) { change(&input) }
    rest -= Swift.max(Self.leastCost, input.count)
    return input
  }

  private mutating func change(_ input: inout [UInt8]) {
    let place = Int.random(in: 0...input.count, using: &choices)
    let part = place..<Int.random(in: place...Swift.min(input.count, place + 64), using: &choices)
    switch Int.random(in: 0..<6, using: &choices) {
    case 0: input.removeSubrange(part)
    case 1: input.insert(contentsOf: input[part], at: place)
    case 2: input.replaceSubrange(part, with: words.randomElement(using: &choices) ?? [])
    case 3: input.insert(contentsOf: words.randomElement(using: &choices) ?? [], at: place)
    case 4:
      let other = seeds.randomElement(using: &choices) ?? []
      input.replaceSubrange(place..., with: other.suffix(other.count / 2))
    default:
      guard place < input.count else { return }
      input[place] ^= 1 << UInt8.random(in: 0..<8, using: &choices)
    }
  }
}
