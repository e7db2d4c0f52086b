import ArgumentParser
import Scenes

/// The options of commands that ask servers.
struct NetworkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Trust the certificate authorities of this PEM file, and no others.",
      valueName: "file"
    ),
    completion: .file()
  )
  var cacert: String?

  /// A file that is no use is told before anything is asked: with it, no server could be trusted.
  func validate() throws {
    guard let cacert, let problem = CertificateFile(path: cacert).problem else { return }
    throw ValidationError(Wording.unusableCertificates(cacert, because: problem))
  }
}
