package import ArgumentParser
import FoundationEssentials
import Scenes
import Settings

/// The option of commands that ask servers, for certificate authorities of the user's own.
package struct CertificateOptions: ParsableArguments {
  @Option(
    name: .customLong("extra-ca"),
    help: ArgumentHelp(
      "Trust the certificate authorities of this PEM file, too.",
      valueName: "file"
    ),
    completion: .file()
  )
  package var extraCA: String?

  package init() {}

  package func validate() throws {
    if let extraCA { try Self.check(extraCA) }
  }

  /// Refuses a file without certificates before any request, because then the servers that it is for are not trusted.
  ///
  /// - Throws: `ValidationError`.
  package static func check(_ path: String) throws {
    do throws(CertificateFile.Problem) {
      _ = try CertificateFile(path: HomePath.expanded(path))
    } catch {
      throw ValidationError(Wording.unusableCertificates(path, because: error.message))
    }
  }

  /// The whole path of the file, if it was typed; nil for one from the settings, which later commands use, too.
  package var typed: String? {
    let isTyped = CommandLine.arguments.contains {
      $0 == "--extra-ca" || $0.hasPrefix("--extra-ca=")
    }
    guard isTyped, let extraCA else { return nil }
    return URL(filePath: HomePath.expanded(extraCA)).standardized.path
  }

  /// The certificates of the file, in PEM; none without the option, and if the file has vanished since it was checked.
  package var certificates: [UInt8] {
    extraCA.flatMap { try? CertificateFile(path: HomePath.expanded($0)).certificates } ?? []
  }
}
