import Foundation
import Workers

/// Pauses of hosts in memory, which counts the looks at it and can fail.
final class MemoryPauses: HostPausing {
  private struct State: Sendable {
    var pauses: [String: Date] = [:]
    var looks = 0
    var isBroken = false
  }

  private let state = Locked(State())

  init(_ pauses: [String: Date] = [:], isBroken: Bool = false) {
    state.withLock { state in
      state.pauses = pauses
      state.isBroken = isBroken
    }
  }

  var pauses: [String: Date] { state.withLock { $0.pauses } }
  var looks: Int { state.withLock { $0.looks } }

  func set(_ host: String, until date: Date) { state.withLock { $0.pauses[host] = date } }

  func pause(of host: String) throws(StoreError) -> Date? {
    try check()
    return state.withLock { state in
      state.looks += 1
      return state.pauses[host]
    }
  }

  func notePause(of host: String, until date: Date) throws(StoreError) {
    try check()
    set(host, until: date)
  }

  private func check() throws(StoreError) {
    guard state.withLock({ $0.isBroken }) else { return }
    throw StoreError(reason: .busy, path: "/library", message: "database is locked")
  }
}
