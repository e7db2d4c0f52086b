/// What becomes of a system call, perhaps only with certain arguments.
struct FilterRule {
  /// What the lower half of an argument has to be.
  enum Condition {
    case equals(UInt32)
    case lacksAll(UInt32)
    case hasAll(UInt32)
  }

  enum Answer {
    case allowed
    /// As if the kernel had no such call.
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
