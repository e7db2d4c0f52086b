internal import CLinux
import Glibc

/// The rules as a program for the kernel's filter machine (seccomp(2)).
///
/// It lets through what a rule allows. Anything else is refused with an error, so that a library
/// that merely probes for something goes on; a call of another architecture, whose numbers mean
/// other calls, ends the process.
struct FilterProgram {
  private(set) var instructions: [sock_filter] = []

  init(architecture: UInt32, rules: [FilterRule]) {
    load(offset: 4)
    add(BPF_JMP | BPF_JEQ, architecture, ifTrue: 1)
    answer(UInt32(SECCOMP_RET_KILL_PROCESS))
    load(offset: 0)
    // The x32 calls of x86-64 share its architecture, and begin here.
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
    // Behind the test: let through, and what a call that does not match goes on with.
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

  /// Instructions that skip the one behind them when the argument does not meet the condition.
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
