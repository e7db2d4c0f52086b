import Foundation
import TestSupport
import Testing

/// Syncs a feed with the whole program; the server of every tenth picture misbehaves in another way.
///
/// These faults end by themselves. `FaultTests` cover the faults that only a time limit ends, with limits of a second.
@Suite(.timeLimit(.minutes(60)))
struct MisbehavingServerTests {
  private static let faults = Fault.all.filter {
    $0.outcome.endsByItself && !$0.outcome.isStored
  }
  private let library: TestLibrary
  private let site: FaultSite

  init() throws {
    library = try TestLibrary()
    site = try FaultSite(Self.faults, sound: 9)
  }

  @Test func `exactly the sound pictures are stored, and each other one is named with its reason`()
    throws
  {
    let program = library.program
    let certificates = LoopbackCertificate.authorityFile
    let result = try program.run("sync", site.feed, "--cacert", certificates, "--verbose")

    #expect(site.entries.count > 1_000)
    #expect(result.status == 2)
    expectProblems(result.errors.split(separator: "\n").map(String.init))
    let sound = site.entries.filter { $0.fault == nil }
    #expect(try storedAddresses() == Set(sound.map(\.address)))
    for entry in sound.indices.filter({ $0.isMultiple(of: 83) }).map({ sound[$0] }) {
      #expect(try thumbnail(of: entry) == entry.picture)
    }
  }

  private func expectProblems(_ messages: [String]) {
    let lines = messages.filter { $0.hasPrefix("cannot fetch the thumbnail '") }
    #expect(lines.count == Self.faults.count)
    for entry in site.entries {
      guard let fault = entry.fault else { continue }
      let start = "cannot fetch the thumbnail '\(entry.address)': "
      let told = lines.filter { $0.hasPrefix(start) }.map { $0.dropFirst(start.count) }
      #expect(told.count == 1 && told.allSatisfy(fault.outcome.isReason), "\(fault): \(told)")
    }
  }

  /// The addresses of the stored thumbnails.
  private func storedAddresses() throws -> Set<String> {
    let lines = try library.program.run("list", "--json").output.split(separator: "\n")
    let thumbnails = try lines.map { line in
      let image = try JSONDecoder().decode(Image.self, from: Data(line.utf8))
      return image.thumbnail
    }
    return Set(thumbnails.filter(\.stored).map(\.url))
  }

  private func thumbnail(of entry: FaultSite.Entry) throws -> [UInt8] {
    let file = "\(library.folder)/\(entry.number).jpg"
    // The first images of a feed get their ids in the document's order.
    try library.program.run("show", String(entry.number), "--thumbnail", "--output", file)
    return try [UInt8](Data(contentsOf: URL(filePath: file)))
  }

  private struct Image: Decodable {
    struct Thumbnail: Decodable {
      var url: String
      var stored: Bool
    }

    var thumbnail: Thumbnail
  }
}
