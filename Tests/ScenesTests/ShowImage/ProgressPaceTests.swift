import Testing

@testable import Scenes

struct ProgressPaceTests {
  private let kilo = 1 << 10

  @Test func `admits each 64 KB of something small`() {
    let admitted = admitted(of: 300 * kilo, inStepsOf: 16 * kilo, total: 300 * kilo)

    #expect(admitted == [64, 128, 192, 256].map { $0 * kilo })
  }

  @Test func `admits each hundredth of something large`() {
    let total = 100 * 1_024 * kilo
    let admitted = admitted(of: total, inStepsOf: 64 * kilo, total: total)

    #expect(admitted == (1...100).map { $0 * 1_024 * kilo })
  }

  @Test func `admits each 64 KB of something whose size is unknown`() {
    let admitted = admitted(of: 200 * kilo, inStepsOf: 50 * kilo, total: nil)

    #expect(admitted == [100 * kilo, 200 * kilo])
  }

  @Test func `admits what a transfer finds here before it`() {
    var pace = ProgressPace()

    let admitted = [(500, true), (510, false), (0, true), (10, false), (70, true)].map {
      (received, isAdmitted) in pace.admits(received: received * kilo, total: nil) == isAdmitted
    }

    #expect(!admitted.contains(false))
  }

  private func admitted(of end: Int, inStepsOf step: Int, total: Int?) -> [Int] {
    var pace = ProgressPace()
    return stride(from: step, through: end, by: step)
      .filter { pace.admits(received: $0, total: total) }
  }
}
