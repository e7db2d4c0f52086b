/// What stands between a picture that attacks its decoder and the machine.
package enum DecoderProtection: String, Sendable, CaseIterable {
  /// Loaders that libvips does not trust with strangers' files are off.
  case trustedLoadersOnly
  /// Memory, processor time, file size and open files are bounded.
  case resourceLimits
  /// It can gain no privileges, and no process may look into it.
  case noNewPrivileges
  /// Landlock keeps it from every file.
  case noFiles
  /// Landlock keeps it from TCP ports.
  case noPorts
  /// System calls but a few are refused: no file is opened, no socket made, no program started.
  case systemCallFilter
  /// It ends with the program that started it.
  case endsWithParent
}
