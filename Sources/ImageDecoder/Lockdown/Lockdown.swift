internal import CLinux
import DecoderFrames

/// What takes the process the means to do harm, in the order in which it has to happen.
enum Lockdown {
  /// Asks for SIGKILL when the program that started this one ends, however it does.
  static func endWithParent() -> Bool { clinux_set_end_with_parent() == 0 }

  /// Closes all doors, for good.
  ///
  /// - Returns: Those that are closed: an old kernel may lack the means for some.
  static func close() -> ProtectionSet {
    var held: ProtectionSet = []
    if ResourceLimits.set() { held.insert(.resourceLimits) }
    // Both filters below may only be put in place by a process that can gain no privileges.
    let hasNoNewPrivileges = clinux_set_no_new_privileges() == 0
    held.formUnion(FileLock.close())
    if hasNoNewPrivileges, clinux_set_undumpable() == 0 { held.insert(.noNewPrivileges) }
    if SystemCallFilter.install() { held.insert(.systemCallFilter) }
    return held
  }
}
