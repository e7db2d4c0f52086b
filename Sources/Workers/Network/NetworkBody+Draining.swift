extension NetworkBody {
  /// Reads a body that nobody wants to its end, since only then all of its bytes are counted.
  ///
  /// - Returns: Bytes that came over the wire.
  /// - Throws: when the transfer fails on its last steps.
  func drain() async throws(Failure) -> Int {
    do {
      while try await next() != nil {}
      return wireBytes
    } catch {
      throw .network(error)
    }
  }
}
