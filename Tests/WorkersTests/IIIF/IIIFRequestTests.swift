import Models
import Testing
import Workers

/// Requests for a picture of 300 x 200 pixels, as in the specification's own examples.
struct IIIFRequestTests {
  static let whole = PixelRegion(x: 0, y: 0, width: 300, height: 200)

  static func request(
    _ region: String = "full",
    _ size: String = "max",
    _ rotation: String = "0",
    _ file: String = "default.jpg"
  ) throws(IIIFError) -> IIIFRequest {
    try IIIFRequest(region: region, size: size, rotation: rotation, file: file)
  }

  @Test(arguments: [
    ("full", whole), ("square", PixelRegion(x: 50, y: 0, width: 200, height: 200)),
    ("125,15,120,140", PixelRegion(x: 125, y: 15, width: 120, height: 140)),
    ("pct:41.6,7.5,40,70", PixelRegion(x: 125, y: 15, width: 120, height: 140)),
    ("125,15,200,200", PixelRegion(x: 125, y: 15, width: 175, height: 185)),
    ("pct:41.6,7.5,66.6,100", PixelRegion(x: 125, y: 15, width: 175, height: 185)),
    ("pct:0,0,100,100", whole), ("0,0,300,200", whole), ("0,0,999999999999999,1", wide),
    ("pct:0,0,.5,00050.0", PixelRegion(x: 0, y: 0, width: 2, height: 100)),
  ])
  func `a region is computed as the specification says`(
    text: String,
    region: PixelRegion
  ) throws {
    let rendering = try Self.request(text).rendering(ofWidth: 300, height: 200)

    #expect(rendering.region == region)
    #expect((rendering.width, rendering.height) == (region.width, region.height))
  }

  /// Only a damaged library has such sizes.
  @Test(arguments: [Int.min, -1, 0, 1, .max], [Int.min, -1, 0, 1, .max])
  func `pictures of any size are rendered or refused`(width: Int, height: Int) {
    for region in ["full", "square", "999999999999999,0,1,999999999999999", "pct:9,9,9999999999,9"]
    {
      let percent = "pct:" + String(repeating: "9", count: 26)
      for size in ["max", "^max", percent, "999999999999999,", ",1", "!1,999999999999999"] {
        let rendering = try? Self.request(region, size).rendering(ofWidth: width, height: height)
        #expect(rendering.map { $0.width > 0 && $0.height > 0 } ?? true)
      }
    }
    #expect(!IIIFInformation(address: "", width: width, height: height).json.isEmpty)
  }

  static let wide = PixelRegion(x: 0, y: 0, width: 300, height: 1)

  @Test(arguments: [
    "", "Full", "1,2,3", "1,2,3,4,5", "1,2,3,", "-1,0,10,10", "+1,0,10,10", "1.5,0,10,10",
    "0,0,0,10", "0,0,10,0", "300,0,10,10", "0,200,10,10", "pct:", "pct:1,2,3", "pct:0,0,0,10",
    "pct:1e1,0,10,10", "pct:100,0,10,10", "pct:0,0,0.1,10", "pct:.,0,10,10", "pct:1.2.3,0,1,1",
    "pct:inf,0,10,10", "pct:0x1,0,10,10", "1234567890123456,0,1,1", "0, 0,10,10", "٣,0,10,10",
  ])
  func `a region that there is not is refused`(text: String) {
    #expect(throws: IIIFError.invalid(.region)) {
      try Self.request(text).rendering(ofWidth: 300, height: 200)
    }
  }

  @Test(arguments: [
    ("max", 300, 200), ("150,", 150, 100), (",150", 225, 150), ("pct:50", 150, 100),
    ("225,100", 225, 100), ("!225,100", 150, 100), ("!1000,1000", 300, 200),
    ("300,200", 300, 200), ("^150,", 150, 100), ("^,150", 225, 150), ("^pct:100", 300, 200),
    ("^225,100", 225, 100), ("^!225,100", 150, 100), ("1,", 1, 1), ("!7,7", 7, 4),
    ("pct:33.3", 100, 67),
  ])
  func `a size is computed as the specification says`(
    text: String,
    width: Int,
    height: Int
  ) throws {
    let rendering = try Self.request("full", text).rendering(ofWidth: 300, height: 200)

    #expect((rendering.width, rendering.height) == (width, height))
  }

  @Test(arguments: [
    "", ",", "full", "0,", ",0", "0,10", "10,0", "!10,", "!,10", "!10", "^", "^^max", "!max",
    "10,10,10", "-10,", "10.5,", "301,", ",201", "301,200", "300,201", "pct:100.5", "pct:0",
    "pct:0.01", "pct:", "pct:-5", "pct:1e1", "pct:10,10", "!0,10", "max ", "!^10,10",
  ])
  func `a size that there is not is refused`(text: String) {
    #expect(throws: IIIFError.invalid(.size)) {
      try Self.request("full", text).rendering(ofWidth: 300, height: 200)
    }
  }

  @Test(arguments: ["^max", "^360,", "^,240", "^pct:120", "^360,360", "^!360,360"])
  func `a size that needs upscaling is refused as not implemented`(text: String) {
    #expect(throws: IIIFError.upscaling) {
      try Self.request("full", text).rendering(ofWidth: 300, height: 200)
    }
  }

  @Test(arguments: [
    ("max", 7_348, 4_898), ("^max", 7_348, 4_898), ("!20000,20000", 7_348, 4_898),
    ("7000,", 7_000, 4_666),
  ])
  func `a large picture is rendered within the limits`(
    text: String,
    width: Int,
    height: Int
  ) throws {
    let rendering = try Self.request("full", text).rendering(ofWidth: 15_001, height: 10_000)

    #expect((rendering.width, rendering.height) == (width, height))
    #expect(rendering.isSound)
  }

  @Test func `a size beyond the limits is refused`() {
    #expect(throws: IIIFError.invalid(.size)) {
      try Self.request("full", "9000,").rendering(ofWidth: 15_001, height: 10_000)
    }
    #expect(throws: IIIFError.invalid(.size)) {
      try Self.request("full", "20000,").rendering(ofWidth: 30_000, height: 10)
    }
  }

  @Test func `a long picture keeps a row`() throws {
    let rendering = try Self.request("full", "max").rendering(ofWidth: 100_000, height: 2)

    #expect((rendering.width, rendering.height) == (Rendering.longestSide, 1))
  }

  @Test(arguments: [
    ("0", false, Rendering.Turn.none), ("90", false, .quarter), ("180", false, .half),
    ("270", false, .threeQuarters), ("360", false, .none), ("!0", true, .none),
    ("!90", true, .quarter), ("90.0", false, .quarter),
  ])
  func `a rotation is read`(text: String, isMirrored: Bool, turn: Rendering.Turn) throws {
    let rendering = try Self.request("full", "max", text).rendering(ofWidth: 300, height: 200)

    #expect(rendering.isMirrored == isMirrored)
    #expect(rendering.turn == turn)
  }

  @Test(arguments: ["", "!", "22.5", "-90", "450", "90!", "!!90", "+90", "ninety"])
  func `a rotation that is not by quarters is refused`(text: String) {
    #expect(throws: IIIFError.invalid(.rotation)) { try Self.request("full", "max", text) }
  }

  @Test(arguments: [
    ("default.jpg", Rendering.Colours.all, Rendering.Encoding.jpeg), ("color.png", .all, .png),
    ("gray.jpg", .grey, .jpeg), ("bitonal.png", .blackAndWhite, .png),
  ])
  func `quality and format are read`(
    file: String,
    colours: Rendering.Colours,
    encoding: Rendering.Encoding
  ) throws {
    let rendering = try Self.request("full", "max", "0", file)
      .rendering(ofWidth: 300, height: 200)

    #expect(rendering.colours == colours)
    #expect(rendering.encoding == encoding)
  }

  @Test(arguments: [
    ("grey.jpg", IIIFParameter.quality), (".jpg", .quality), ("default.x.jpg", .quality),
    ("default.webp", .format), ("default.tif", .format), ("default.", .format),
    ("default", .format), ("", .format), ("default.JPG", .format),
  ])
  func `another quality or format is refused`(file: String, parameter: IIIFParameter) {
    #expect(throws: IIIFError.invalid(parameter)) {
      try Self.request("full", "max", "0", file)
    }
  }

  @Test(arguments: [
    (["full", "max", "0", "default.jpg"], "full/max/0/default.jpg"),
    (["0,0,300,200", "300,200", "360", "color.jpg"], "full/max/0/default.jpg"),
    (["pct:41.6,7.5,40,70", "60,", "!90.0", "gray.png"], "125,15,120,140/60,70/!90/gray.png"),
    (["square", "^200,", "180", "bitonal.png"], "50,0,200,200/max/180/bitonal.png"),
    (["full", "^pct:50", "270", "default.png"], "full/150,100/270/default.png"),
  ])
  func `a request has one canonical form`(parts: [String], canonical: String) throws {
    let request = try Self.request(parts[0], parts[1], parts[2], parts[3])

    #expect(try request.canonical(ofWidth: 300, height: 200) == canonical)
  }

  @Test func `a canonical form is its own canonical form`() throws {
    let request = try Self.request("pct:10,10,33.3,33.3", "pct:50", "!270", "gray.jpg")
    let canonical = try request.canonical(ofWidth: 1_234, height: 777)
    let parts = canonical.split(separator: "/").map(String.init)
    let again = try Self.request(parts[0], parts[1], parts[2], parts[3])

    #expect(try again.canonical(ofWidth: 1_234, height: 777) == canonical)
    #expect(
      try again.rendering(ofWidth: 1_234, height: 777)
        == request.rendering(ofWidth: 1_234, height: 777)
    )
  }
}
