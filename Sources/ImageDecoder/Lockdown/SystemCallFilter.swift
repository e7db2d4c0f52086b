internal import CLinux
import Glibc

/// The system calls that decoding needs, and no others: none that opens a file, makes a socket,
/// starts a program, or makes memory that can be executed.
enum SystemCallFilter {
  /// Puts the filter over all threads, for good; false where the kernel has none.
  static func install() -> Bool {
    let architecture = clinux_audit_architecture()
    guard architecture != 0 else { return false }
    var program = FilterProgram(architecture: architecture, rules: rules).instructions
    return program.withUnsafeMutableBufferPointer { instructions in
      var filter = sock_fprog()
      filter.len = UInt16(instructions.count)
      filter.filter = instructions.baseAddress
      return clinux_filter_system_calls(&filter) == 0
    }
  }

  private static var rules: [FilterRule] { memory + threads + picture + connection + itself }

  private static let memory = [
    FilterRule(SYS_mmap, argument: 2, .lacksAll(UInt32(PROT_EXEC))),
    FilterRule(SYS_mprotect, argument: 2, .lacksAll(UInt32(PROT_EXEC))),
    FilterRule(SYS_munmap), FilterRule(SYS_mremap), FilterRule(SYS_madvise), FilterRule(SYS_brk),
  ]

  /// clone3 keeps its flags in memory, where no filter sees them: libraries fall back to clone.
  private static let threads = [
    FilterRule(SYS_futex), FilterRule(SYS_clone3, .unknown),
    FilterRule(SYS_clone, argument: 0, .hasAll(clinux_thread_flags())),
    FilterRule(SYS_set_robust_list), FilterRule(SYS_rseq), FilterRule(SYS_sched_yield),
    FilterRule(SYS_sched_getaffinity), FilterRule(SYS_gettid), FilterRule(SYS_membarrier),
    FilterRule(SYS_prctl, argument: 0, .equals(UInt32(PR_SET_NAME))), FilterRule(SYS_exit),
  ]

  /// Reading what is open already.
  ///
  /// A look at a descriptor may be a look at an empty path from it.
  private static let picture = [
    FilterRule(SYS_read), FilterRule(SYS_pread64), FilterRule(SYS_lseek), FilterRule(SYS_fstat),
    FilterRule(SYS_newfstatat, argument: 3, .equals(clinux_empty_path())),
    FilterRule(SYS_dup), FilterRule(SYS_close),
    FilterRule(SYS_fcntl, argument: 1, .equals(UInt32(F_DUPFD_CLOEXEC))),
    FilterRule(SYS_fcntl, argument: 1, .equals(UInt32(F_GETFL))),
  ]

  private static let connection = [
    FilterRule(SYS_recvmsg, argument: 0, .equals(0)), FilterRule(SYS_write),
  ]

  private static let itself = [
    FilterRule(SYS_setitimer), FilterRule(SYS_rt_sigaction), FilterRule(SYS_rt_sigprocmask),
    FilterRule(SYS_rt_sigreturn), FilterRule(SYS_clock_gettime), FilterRule(SYS_gettimeofday),
    FilterRule(SYS_clock_nanosleep), FilterRule(SYS_getrandom), FilterRule(SYS_getpid),
    FilterRule(SYS_tgkill, argument: 0, .equals(UInt32(getpid()))), FilterRule(SYS_exit_group),
    FilterRule(SYS_restart_syscall),
  ]
}
