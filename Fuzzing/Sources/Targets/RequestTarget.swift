import DecoderFrames

/// What the decoder takes for a request.
struct RequestTarget: FuzzTarget {
  let name = "request"
  let dictionary = "frame"
  let seeds: [Seed] = [
    .bytes(DecoderRequest(id: 1, task: .inspect).bytes),
    .bytes(DecoderRequest(id: 2, task: .thumbnail(longestSide: 320)).bytes),
    .bytes(DecoderRequest(id: .max, task: .pixels(width: 9, height: 8, isPartial: true)).bytes),
  ]

  func run(_ input: [UInt8]) throws(BrokenProperty) {
    guard let request = try? DecoderRequest(input[...]) else { return }
    try requireEqual(request.bytes, input, "a request read and written")
    switch request.task {
    case .inspect: break
    case .thumbnail(let side):
      try require((1...FrameLimits.thumbnailSide).contains(side), "a thumbnail of \(side) pixels")
    case .pixels(let width, let height, _):
      let sides = 1...FrameLimits.boxSide
      let isSound = sides.contains(width) && sides.contains(height)
      try require(isSound, "a box of \(width) x \(height) pixels")
    }
  }
}
