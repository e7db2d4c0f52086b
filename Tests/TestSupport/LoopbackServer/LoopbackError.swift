/// A system call that failed, and its error number.
package struct LoopbackError: Error, Equatable {
  package var call: String
  package var code: Int32
}
