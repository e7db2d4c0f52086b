/// The bytes of one connection, encrypted on their way or not.
protocol LoopbackStream {
  /// Reads what there is, waiting for something; empty at the end.
  func read() -> [UInt8]

  /// Sends what the peer takes at once.
  ///
  /// - Returns: how many bytes it took; nil when it has hung up.
  func send(_ bytes: ArraySlice<UInt8>) -> Int?
}
