package import FoundationEssentials

/// Remembers which hosts have asked for a pause, for every process that uses the library.
///
/// The network calls it on a thread of its own, and waits for the answer.
package protocol HostPausing: Sendable {
  /// Until when a host, named with its port where it has one, is not to be asked; nil when it may be.
  func pause(of host: String) throws(StoreError) -> Date?

  /// Notes that a host is not to be asked before a date; a later date that is noted already stays.
  func notePause(of host: String, until date: Date) throws(StoreError)
}
