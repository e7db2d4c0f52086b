/// Brings feeds and their pictures into the library.
package protocol Syncing: Sendable {
  /// Starts a sync; it runs whether or not its facts are read.
  func sync(_ plan: SyncPlan) -> SyncRun
}
