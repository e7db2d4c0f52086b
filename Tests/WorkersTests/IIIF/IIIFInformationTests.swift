import Foundation
import Models
import Testing
import Workers

struct IIIFInformationTests {
  private struct Document: Decodable {
    struct Size: Decodable, Equatable {
      let width: Int
      let height: Int
    }

    struct Tiles: Decodable, Equatable {
      let width: Int
      let scaleFactors: [Int]
    }

    let sizes: [Size]
    let tiles: [Tiles]?
    let maxWidth: Int
    let maxHeight: Int
    let maxArea: Int
  }

  private func document(_ width: Int, _ height: Int) throws -> Document {
    let json = IIIFInformation(address: "", width: width, height: height).json
    return try JSONDecoder().decode(Document.self, from: Data(json))
  }

  @Test func `a picture is described as the specification says`() {
    let address = "https://example.org/iiif/image/abc"
    let json = IIIFInformation(address: address, width: 300, height: 200).json

    #expect(
      String(decoding: json, as: UTF8.self) == """
        {"@context":"http://iiif.io/api/image/3/context.json","extraFeatures":["mirroring"],\
        "extraQualities":["color","gray","bitonal"],"height":200,\
        "id":"https://example.org/iiif/image/abc","maxArea":36000000,"maxHeight":16384,\
        "maxWidth":16384,"profile":"level2","protocol":"http://iiif.io/api/image",\
        "sizes":[{"height":100,"width":150},{"height":200,"width":300}],"type":"ImageService3",\
        "width":300}
        """
    )
  }

  @Test(arguments: [(300, 200), (8_000, 6_000), (16_384, 16_384), (100_000, 2), (1, 1)])
  func `each listed size is one that can be asked for`(width: Int, height: Int) throws {
    for size in try document(width, height).sizes {
      let text = "\(size.width),\(size.height)"
      let request = try IIIFRequest(region: "full", size: text, rotation: "0", file: "color.jpg")
      let rendering = try request.rendering(ofWidth: width, height: height)

      #expect((rendering.width, rendering.height) == (size.width, size.height))
    }
  }

  @Test(arguments: [
    (1_024, 700, nil), (1_025, 700, [1, 2]), (700, 6_000, [1, 2, 4, 8]),
  ])
  func `tiles are listed down to one that holds the picture`(
    width: Int,
    height: Int,
    factors: [Int]?
  ) throws {
    let tiles = factors.map { [Document.Tiles(width: 1_024, scaleFactors: $0)] }

    #expect(try document(width, height).tiles == tiles)
  }
}
