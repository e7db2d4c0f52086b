package import ArgumentParser
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
      _ = try CertificateFile(path: path)
    } catch {
      throw ValidationError(Wording.unusableCertificates(path, because: error.message))
    }
  }

  /// The certificates of the file, in PEM; none without the option, and if the file has vanished since it was checked.
  package var certificates: [UInt8] {
    extraCA.flatMap { try? CertificateFile(path: $0).certificates } ?? []
  }
}
