/// A call of the system, or of OpenSSL, that failed, and its error number.
package struct LoopbackError: Error, Equatable {
  package var call: String
  package var code: Int32

  static func tls(_ call: String) -> LoopbackError { LoopbackError(call: call, code: 0) }
}
