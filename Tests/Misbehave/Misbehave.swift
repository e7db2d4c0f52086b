import Foundation
import TestSupport

/// Runs the misbehaving server of the tests by hand, until it is stopped.
@main
struct Misbehave {
  static func main() {
    do {
      let filter = try MisbehaveArguments(Array(CommandLine.arguments.dropFirst()))
      if filter.wantsHelp { return print(MisbehaveArguments.help) }
      guard filter.wantsList else { return try serve(filter) }
      for fault in filter.faults { print(line(fault)) }
    } catch let error as MisbehaveArguments.Mistake {
      stop("\(error.message)\n\(MisbehaveArguments.help)", status: 64)
    } catch {
      stop("cannot serve: \(error)", status: 1)
    }
  }

  private static func serve(_ filter: MisbehaveArguments) throws {
    let signals = EndSignals()
    let site = try FaultSite(filter.faults, sound: 1, port: filter.port)
    print("feed: \(site.feed)")
    print("certificates: \(LoopbackCertificate.authorityFile)")
    for entry in site.entries {
      guard let fault = entry.fault else { continue }
      print("\(entry.address)  \(line(fault))")
    }
    print(
      "try: gallery sync --allow-private --cacert \(LoopbackCertificate.authorityFile) \(site.feed)"
    )
    fflush(nil)
    signals.wait()
    withExtendedLifetime(site) {}
  }

  private static func line(_ fault: Fault) -> String {
    "\(fault.name): \(fault.summary); \(expectation(fault.outcome))"
  }

  private static func expectation(_ outcome: FaultOutcome) -> String {
    switch outcome {
    case .stored: "the picture is stored all the same"
    case .refused: "it is refused"
    case .outlasted: "it is refused when a time limit has run out"
    }
  }

  private static func stop(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }
}
