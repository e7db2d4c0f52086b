import TestSupport

/// The arguments: the faults to serve, and the port.
struct MisbehaveArguments {
  /// An error in the arguments, with its description.
  struct Mistake: Error {
    var message: String
  }

  static let help = """
    usage: Scripts/misbehave [--port N] [FAULT …]
           Scripts/misbehave --list

    Serves, on loopback, a feed of pictures whose servers misbehave, each in another way, beside
    pictures whose servers do not; each fault has an address of its own as well, /fault/NAME.
    With names, those faults alone. --list names them all. Ctrl-C ends it.
    """

  private(set) var faults: [Fault] = []
  private(set) var port = 0
  private(set) var wantsList = false
  private(set) var wantsHelp = false

  init(_ arguments: [String]) throws(Mistake) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": wantsHelp = true
      case "--list": wantsList = true
      case "--port": port = try Self.port(rest.popFirst())
      default: faults.append(try Self.fault(argument))
      }
    }
    if faults.isEmpty { faults = Fault.all }
  }

  private static func port(_ text: String?) throws(Mistake) -> Int {
    guard let port = text.flatMap({ UInt16($0) }) else {
      throw Mistake(message: "--port takes a number up to 65535")
    }
    return Int(port)
  }

  private static func fault(_ name: String) throws(Mistake) -> Fault {
    guard let fault = Fault.all.first(where: { $0.name == name }) else {
      throw Mistake(message: "there is no fault '\(name)' — --list names them all")
    }
    return fault
  }
}
