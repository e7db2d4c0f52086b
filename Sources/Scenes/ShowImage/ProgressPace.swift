/// How often progress is worth presenting: after each hundredth of the whole, or each 64 KB where
/// that is more; and what a transfer that goes on, or has begun anew, finds here before it.
struct ProgressPace {
  private static let leastStep = 64 << 10
  private var presented = 0

  mutating func admits(received: Int, total: Int?) -> Bool {
    let step = max(Self.leastStep, (total ?? 0) / 100)
    guard received - presented >= step || received < presented else { return false }
    presented = received
    return true
  }
}
