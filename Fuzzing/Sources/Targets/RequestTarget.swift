import DecoderFrames
import Models

/// The bytes that the decoder reads as a request.
struct RequestTarget: FuzzTarget {
  let name = "request"
  let dictionary = "frame"
  let seeds: [Seed] = [
    .bytes(DecoderRequest(id: 1, task: .inspect).bytes),
    .bytes(DecoderRequest(id: 2, task: .thumbnail(longestSide: 320)).bytes),
    .bytes(DecoderRequest(id: .max, task: .pixels(width: 9, height: 8, isPartial: true)).bytes),
    .bytes(DecoderRequest(id: 3, task: .render(rendering)).bytes),
    .bytes(DecoderRequest(id: 4, task: .colourGrid).bytes),
    .bytes(DecoderRequest(id: 5, task: .details).bytes),
  ]

  private static let rendering = Rendering(
    region: PixelRegion(x: 10, y: 20, width: 300, height: 400),
    width: 150,
    height: 200,
    isMirrored: true,
    turn: .quarter,
    colours: .grey,
    encoding: .png
  )

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    guard let request = try? DecoderRequest(input[...]) else { return }
    try requireEqual(request.bytes, input, "a request read and written")
    switch request.task {
    case .inspect, .colourGrid, .details: break
    case .render(let rendering):
      let (width, height) = rendering.turned
      let longest = max(width, height)
      try require(rendering.isSound, "a rendering of \(width) x \(height) pixels")
      try require(longest <= Rendering.longestSide, "a side of \(longest) pixels")
    case .thumbnail(let side):
      try require((1...FrameLimits.thumbnailSide).contains(side), "a thumbnail of \(side) pixels")
    case .pixels(let width, let height, _):
      let sides = 1...FrameLimits.boxSide
      let isSound = sides.contains(width) && sides.contains(height)
      try require(isSound, "a box of \(width) x \(height) pixels")
    }
  }
}
