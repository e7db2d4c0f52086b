internal import CChafa

/// libchafa, loaded when the first picture is drawn: with it comes GLib, and linking both would make
/// every command start later.
struct ChafaLibrary: Sendable {
  /// Nil when it is not installed.
  static let shared: ChafaLibrary? = ChafaLibrary()

  let functions: cchafa_functions

  private init?() {
    var functions = cchafa_functions()
    guard cchafa_load(&functions) != 0 else { return nil }
    self.functions = functions
  }
}
