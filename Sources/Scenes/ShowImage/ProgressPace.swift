/// How often progress is worth presenting: after each hundredth of the whole, or each 64 KB where
/// that is more.
struct ProgressPace {
  private static let leastStep = 64 << 10
  private var presented = 0

  mutating func admits(received: Int, total: Int?) -> Bool {
    let step = max(Self.leastStep, (total ?? 0) / 100)
    guard received - presented >= step else { return false }
    presented = received
    return true
  }
}
