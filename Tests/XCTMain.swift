import Testing

/// Runs the tests.
///
/// Without this file, Swift Package Manager would look for tests of XCTest, for which the compiler would have to index
/// every file.
@main
struct Main {
  static func main() async {
    // `swift test` also starts the program to run the tests of XCTest.
    guard CommandLine.arguments.contains("swift-testing") else { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
