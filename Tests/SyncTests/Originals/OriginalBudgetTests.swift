import Models
import TestSupport
import Testing
import Workers

/// Originals in a run with a limited number of bytes.
struct OriginalBudgetTests {
  private let jpeg = PictureBytes.jpeg
  private let strong = OriginalBench.strong

  @Test func `takes a declared length, and nothing more`() async throws {
    let budget = TransferBudget(bytes: jpeg.count + 5)

    _ = try await OriginalBench(.picture(jpeg)).fetch(budget: budget)

    #expect(left(in: budget) == 5)
  }

  @Test func `does not begin what is larger than what is left`() async {
    let budget = TransferBudget(bytes: jpeg.count - 1)
    let bench = OriginalBench(.picture(jpeg))

    await #expect(throws: Failure.overBudget) { try await bench.fetch(budget: budget) }

    #expect(left(in: budget) == jpeg.count - 1)
    #expect(bench.store.events == [.suspended(imageID: 1, length: 0)])
  }

  @Test func `takes only the rest of what is here in part`() async throws {
    let budget = TransferBudget(bytes: jpeg.count - 20)
    let bench = OriginalBench(.rest(of: jpeg, from: 20, strong))
    bench.keep(jpeg, first: 20)

    _ = try await bench.fetch(budget: budget)

    #expect(left(in: budget) == 0)
  }

  @Test func `keeps what is here in part when there is not enough for the rest`() async {
    let bench = OriginalBench(.rest(of: jpeg, from: 20, strong))
    bench.keep(jpeg, first: 20)

    await #expect(throws: Failure.overBudget) {
      try await bench.fetch(budget: TransferBudget(bytes: 1))
    }
    #expect(bench.store.events == [.suspended(imageID: 1, length: 20)])
  }

  @Test func `gives back what a broken transfer has not brought`() async {
    let budget = TransferBudget(bytes: 1_000)
    var reply = FakeReply.broken(jpeg, at: 20, strong)
    reply.breakage = .insecure

    await #expect(throws: Failure.self) { try await OriginalBench(reply).fetch(budget: budget) }

    #expect(left(in: budget) == 980)
  }

  @Test(arguments: [1_000, 3 << 20])
  func `takes what is not declared as it arrives`(_ bytes: Int) async throws {
    let budget = TransferBudget(bytes: bytes)

    _ = try await OriginalBench(.undeclared(jpeg)).fetch(budget: budget)

    #expect(left(in: budget) == bytes - jpeg.count)
  }

  @Test func `stops in the middle of what is not declared, and keeps what has come`() async {
    let budget = TransferBudget(bytes: 50)
    var reply = FakeReply.undeclared(Array(jpeg.prefix(40)))
    reply.chunks.append(Array(jpeg.dropFirst(40)))
    reply.validators = strong
    let bench = OriginalBench(reply)

    await #expect(throws: Failure.overBudget) { try await bench.fetch(budget: budget) }

    #expect(left(in: budget) == 10)
    #expect(bench.store.events == [.suspended(imageID: 1, length: 40)])
  }

  @Test func `bounds nothing when there is no bound`() async throws {
    _ = try await OriginalBench(.picture(jpeg)).fetch(budget: TransferBudget(bytes: nil))
  }

  private func left(in budget: TransferBudget) -> Int {
    var left = 0
    while budget.take(1) { left += 1 }
    budget.giveBack(left)
    return left
  }
}
