import Dispatch
package import Threading

extension ChildProcess {
  /// Ends it after ten minutes: what hangs makes its test fail, by its name.
  package func endInTime() -> ChildProcess {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(600)) { self.send(9) }
    return self
  }
}
