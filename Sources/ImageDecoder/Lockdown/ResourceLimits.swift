import DecoderFrames
import Glibc

/// What the process may use of the machine (setrlimit(2)).
enum ResourceLimits {
  /// Bytes of memory that can be written: with the libraries' own pages, the process stays below
  /// 512 MB.
  static let memory: UInt = 384 << 20
  /// Bytes of addresses, picture files that are mapped included.
  private static let addresses: UInt = 4 << 30
  /// Descriptors: standard streams, the picture, and libvips' copies of it.
  private static let files: UInt = 16

  /// - Returns: Whether all of them hold.
  static func set() -> Bool {
    limit(RLIMIT_DATA, memory) && limit(RLIMIT_AS, addresses) && limit(RLIMIT_FSIZE, 0)
      && limit(RLIMIT_NOFILE, files) && limit(RLIMIT_CORE, 0)
  }

  /// Begins a picture's time; SIGPROF ends the process when it is over.
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
