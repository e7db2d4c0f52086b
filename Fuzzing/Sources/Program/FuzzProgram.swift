internal import CFuzzer
import Foundation

/// Runs one target on inputs from libFuzzer, lists the targets, or writes seeds.
@main
enum FuzzProgram {
  static func main() {
    if environment("GALLERY_FUZZ_LIST") != nil {
      for target in FuzzTargets.all { print(target.name, target.dictionary) }
    } else if let folder = environment("GALLERY_FUZZ_SEEDS") {
      SeedWriter(folder: URL(filePath: folder)).write(chosenTarget.inputs)
    } else {
      fuzz()
    }
  }

  /// Calls libFuzzer, which reads the program's arguments itself.
  private static func fuzz() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
      LLVMFuzzerRunDriver(&count, &arguments) { start, length in
        FuzzProgram.run(Array(UnsafeBufferPointer(start: start, count: length)))
        return 0
      }
    )
  }

  /// Traps if a property does not hold; libFuzzer reports this like any other crash.
  private static func run(_ input: [UInt8]) {
    do {
      try chosenTarget.run(input)
    } catch {
      fatalError("\(error)")
    }
  }

  /// The target that `GALLERY_FUZZ_TARGET` names.
  private static let chosenTarget: any FuzzTarget = {
    let name = environment("GALLERY_FUZZ_TARGET") ?? ""
    guard let target = FuzzTargets.all.first(where: { $0.name == name }) else {
      fatalError("there is no target '\(name)': see Scripts/fuzz --list")
    }
    return target
  }()

  private static func environment(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
  }
}
