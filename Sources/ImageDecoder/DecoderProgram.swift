import DecoderFrames
import Glibc

/// `gallery-decoder`: decodes pictures for the program that started it, which is at the other end
/// of its standard input.
///
/// It takes nothing from its arguments or environment, and all that strangers' pictures meet is
/// behind a lock-down that is complete before the first one is read.
@main
enum DecoderProgram {
  static func main() {
    guard CommandLine.arguments.count == 1, let connection = Connection(standardInput: ()) else {
      exit(explain())
    }
    let endsWithParent = Lockdown.endWithParent()
    guard let library = VipsLibrary() else { exit(EXIT_FAILURE) }
    library.warmUp()
    var protections = Lockdown.close()
    if endsWithParent { protections.insert(.endsWithParent) }
    if library.trustsNoOtherLoaders { protections.insert(.trustedLoadersOnly) }
    DecoderLoop(connection: connection).run(protections: protections, library: library.version)
  }

  /// For those who start it by hand.
  private static func explain() -> Int32 {
    let text = "gallery-decoder works for gallery, which starts it where it needs it\n"
    _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    return 64
  }
}
