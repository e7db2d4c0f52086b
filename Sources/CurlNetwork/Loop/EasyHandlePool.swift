/// Easy handles at rest: making one anew costs more than a small transfer's whole setting up.
struct EasyHandlePool {
  private var resting: [EasyHandle] = []
  private let setup: TransferSetup

  init(setup: TransferSetup) { self.setup = setup }

  /// A handle with the options that all transfers share; nil when libcurl has no memory.
  mutating func take() -> EasyHandle? {
    if let easy = resting.popLast() { return easy }
    guard let easy = EasyHandle() else { return nil }
    setup.applyShared(to: easy)
    return easy
  }

  mutating func giveBack(_ easy: EasyHandle) {
    easy.transfer = nil
    resting.append(easy)
  }

  mutating func removeAll() { resting = [] }
}
