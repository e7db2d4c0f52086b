internal import CLinux
import DecoderFrames
import Glibc
import Models

/// The sandbox of the process.
enum Lockdown {
  /// Asks the kernel for SIGKILL when the program that started this one ends.
  static func endWithParent() -> Bool { clinux_set_end_with_parent() == 0 }

  /// Applies all protections, in the required order; they cannot be undone.
  ///
  /// - Returns: The protections in force: an old kernel does not support all of them.
  static func close() -> Set<DecoderProtection> {
    var held: Set<DecoderProtection> = []
    if ResourceLimits.set() { held.insert(.resourceLimits) }
    // The kernel accepts both filters below only from a process that cannot gain privileges.
    let hasNoNewPrivileges = clinux_set_no_new_privileges() == 0
    held.formUnion(FileLock.close())
    if hasNoNewPrivileges, clinux_set_undumpable() == 0 { held.insert(.noNewPrivileges) }
    if SystemCallFilter.install() { held.insert(.systemCallFilter) }
    return held
  }
}

/// The limits on memory, descriptors and processor time (setrlimit(2)).
enum ResourceLimits {
  /// Bytes of writable memory; with the pages of its libraries, the process stays below 512 MB.
  static let memory: UInt = 384 << 20
  /// Bytes of address space, which includes mapped picture files.
  private static let addresses: UInt = 4 << 30
  /// Descriptors: the standard streams, the picture, and libvips' duplicates of it.
  private static let files: UInt = 16

  /// - Returns: Whether all limits are in force.
  static func set() -> Bool {
    limit(RLIMIT_DATA, memory) && limit(RLIMIT_AS, addresses) && limit(RLIMIT_FSIZE, 0)
      && limit(RLIMIT_NOFILE, files) && limit(RLIMIT_CORE, 0)
  }

  /// Starts the timer of a picture's processor time; SIGPROF ends the process when it expires.
  static func startClock() { setClock(FrameLimits.processorSeconds) }

  static func stopClock() { setClock(0) }

  private static func setClock(_ seconds: Int) {
    var time = itimerval()
    time.it_value.tv_sec = seconds
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &time, nil)
  }

  private static func limit(_ resource: __rlimit_resource, _ amount: UInt) -> Bool {
    var limit = rlimit(rlim_cur: amount, rlim_max: amount)
    return setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
  }
}

/// A Landlock rule set that allows no file and no port (landlock(7)).
enum FileLock {
  /// The access rights to files that a version of Landlock supports, one bit each.
  private static func fileRights(version: Int) -> UInt64 {
    switch version {
    case 1: (1 << 13) - 1
    case 2: (1 << 14) - 1
    case 3, 4: (1 << 15) - 1
    default: (1 << 16) - 1
    }
  }

  /// Denies all files and ports to the calling thread and to threads that it starts later.
  static func close() -> Set<DecoderProtection> {
    let version = clinux_landlock_version()
    guard version >= 1, isOnlyThread else { return [] }
    var rules = clinux_landlock_rules()
    rules.file_access = fileRights(version: version)
    // Version 4 adds bind and connect of TCP; version 6 adds abstract Unix sockets and signals.
    if version >= 4 { rules.network_access = 0b11 }
    if version >= 6 { rules.scopes = 0b11 }
    guard enforce(rules, size: size(version: version)) else { return [] }
    return version >= 4 ? [.noFiles, .noPorts] : [.noFiles]
  }

  /// The length of the structure that a version supports; the kernel rejects a longer one.
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

  /// Whether the process has only this thread: the rules would not apply to other threads.
  private static var isOnlyThread: Bool {
    guard let folder = opendir("/proc/self/task") else { return false }
    defer { closedir(folder) }
    var threads = 0
    while let entry = readdir(folder) {
      if entry.pointee.d_name.0 != CChar(truncatingIfNeeded: UInt8(ascii: ".")) { threads += 1 }
    }
    return threads <= 1
  }
}
