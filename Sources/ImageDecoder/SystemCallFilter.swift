internal import CLinux
import Glibc

/// A filter that allows only the system calls that decoding needs.
///
/// These calls cannot open a file, make a socket, start a program or make memory executable.
enum SystemCallFilter {
  /// Installs the filter for all threads, permanently; false when the kernel does not support it.
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

  /// The calls of threads.
  ///
  /// The flags of clone3 are in memory, where a filter cannot check them. Libraries use clone
  /// instead when clone3 seems to be missing.
  private static let threads = [
    FilterRule(SYS_futex), FilterRule(SYS_clone3, .unknown),
    FilterRule(SYS_clone, argument: 0, .hasAll(clinux_thread_flags())),
    FilterRule(SYS_set_robust_list), FilterRule(SYS_rseq), FilterRule(SYS_sched_yield),
    FilterRule(SYS_sched_getaffinity), FilterRule(SYS_gettid), FilterRule(SYS_membarrier),
    FilterRule(SYS_prctl, argument: 0, .equals(UInt32(PR_SET_NAME))), FilterRule(SYS_exit),
  ]

  /// The calls that read open files.
  ///
  /// The C library may implement fstat as newfstatat with an empty path.
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

/// The answer to a system call, possibly only with certain arguments.
private struct FilterRule {
  /// A condition on the lower 32 bits of an argument.
  enum Condition {
    case equals(UInt32)
    case lacksAll(UInt32)
    case hasAll(UInt32)
  }

  enum Answer {
    case allowed
    /// The error that a kernel without the call returns.
    case unknown
  }

  let call: Int32
  let answer: Answer
  let argument: (index: UInt32, condition: Condition)?

  init(_ call: Int32, _ answer: Answer = .allowed) {
    self.call = call
    self.answer = answer
    argument = nil
  }

  init(_ call: Int32, argument index: UInt32, _ condition: Condition) {
    self.call = call
    answer = .allowed
    argument = (index, condition)
  }
}

/// The rules as a program for the kernel's packet filter machine (seccomp(2)).
///
/// Calls that no rule allows fail with EPERM, so that a library that only probes for a feature
/// still works. A call for another architecture ends the process, because its numbers mean other
/// calls.
private struct FilterProgram {
  private(set) var instructions: [sock_filter] = []

  init(architecture: UInt32, rules: [FilterRule]) {
    load(offset: 4)
    add(BPF_JMP | BPF_JEQ, architecture, ifTrue: 1)
    answer(UInt32(SECCOMP_RET_KILL_PROCESS))
    load(offset: 0)
    // The x32 calls of x86-64 have the same architecture, and numbers from this value upwards.
    add(BPF_JMP | BPF_JGE, 0x4000_0000, ifFalse: 1)
    answer(UInt32(SECCOMP_RET_KILL_PROCESS))
    for rule in rules { add(rule) }
    answer(UInt32(SECCOMP_RET_ERRNO) | UInt32(EPERM))
  }

  private mutating func add(_ rule: FilterRule) {
    guard let (index, condition) = rule.argument else {
      add(BPF_JMP | BPF_JEQ, UInt32(rule.call), ifFalse: 1)
      return answer(Self.action(rule.answer))
    }
    let test = FilterProgram.test(condition)
    // For another call, jump over the load, the test, the answer and the load that restores the number.
    add(BPF_JMP | BPF_JEQ, UInt32(rule.call), ifFalse: UInt8(test.count + 3))
    load(offset: 16 + 8 * index)
    instructions += test
    answer(Self.action(rule.answer))
    load(offset: 0)
  }

  private static func action(_ answer: FilterRule.Answer) -> UInt32 {
    switch answer {
    case .allowed: UInt32(SECCOMP_RET_ALLOW)
    case .unknown: UInt32(SECCOMP_RET_ERRNO) | UInt32(ENOSYS)
    }
  }

  /// Instructions that skip the next one when the argument does not meet the condition.
  private static func test(_ condition: FilterRule.Condition) -> [sock_filter] {
    switch condition {
    case .equals(let value): [instruction(BPF_JMP | BPF_JEQ, value, 0, 1)]
    case .lacksAll(let bits): [instruction(BPF_JMP | BPF_JSET, bits, 1, 0)]
    case .hasAll(let bits):
      [
        instruction(BPF_ALU | BPF_AND, bits, 0, 0), instruction(BPF_JMP | BPF_JEQ, bits, 0, 1),
      ]
    }
  }

  private mutating func load(offset: UInt32) { add(BPF_LD | BPF_W | BPF_ABS, offset) }

  private mutating func answer(_ action: UInt32) { add(BPF_RET, action) }

  private mutating func add(
    _ code: Int32,
    _ value: UInt32,
    ifTrue: UInt8 = 0,
    ifFalse: UInt8 = 0
  ) {
    instructions.append(Self.instruction(code, value, ifTrue, ifFalse))
  }

  private static func instruction(
    _ code: Int32,
    _ value: UInt32,
    _ ifTrue: UInt8,
    _ ifFalse: UInt8
  ) -> sock_filter {
    sock_filter(code: UInt16(code | BPF_K), jt: ifTrue, jf: ifFalse, k: value)
  }
}
