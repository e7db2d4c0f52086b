internal import CLinux
import DecoderFrames
import Glibc

/// Landlock: rules of which none allows anything (landlock(7)).
enum FileLock {
  /// The rights over files that each version of Landlock knows, as bits counted from 0.
  private static func fileRights(version: Int) -> UInt64 {
    switch version {
    case 1: (1 << 13) - 1
    case 2: (1 << 14) - 1
    case 3, 4: (1 << 15) - 1
    default: (1 << 16) - 1
    }
  }

  /// Takes the calling thread, and those it will start, all files and ports.
  static func close() -> ProtectionSet {
    let version = clinux_landlock_version()
    guard version >= 1, isOnlyThread else { return [] }
    var rules = clinux_landlock_rules()
    rules.file_access = fileRights(version: version)
    // Bind and connect over TCP; abstract Unix sockets and signals to others.
    if version >= 4 { rules.network_access = 0b11 }
    if version >= 6 { rules.scopes = 0b11 }
    guard enforce(rules, size: size(version: version)) else { return [] }
    return version >= 4 ? [.noFiles, .noPorts] : [.noFiles]
  }

  /// How much of the structure a version knows: more than that is an error.
  private static func size(version: Int) -> Int {
    switch version {
    case 1...3: 8
    case 4, 5: 16
    default: 24
    }
  }

  private static func enforce(_ rules: clinux_landlock_rules, size: Int) -> Bool {
    var rules = rules
    let set = Int32(clamping: clinux_landlock_make(&rules, size))
    guard set >= 0 else { return false }
    defer { Glibc.close(set) }
    return clinux_landlock_enforce(set) == 0
  }

  /// Threads that are there already would stay outside, and there is no saying what they do.
  private static var isOnlyThread: Bool {
    guard let folder = opendir("/proc/self/task") else { return false }
    defer { closedir(folder) }
    var threads = 0
    while let entry = readdir(folder) {
      if entry.pointee.d_name.0 != CChar(bitPattern: UInt8(ascii: ".")) { threads += 1 }
    }
    return threads <= 1
  }
}
