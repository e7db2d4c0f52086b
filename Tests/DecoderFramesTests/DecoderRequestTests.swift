import DecoderFrames
import Models
import Testing

struct DecoderRequestTests {
  static let tasks: [DecoderTask] = [
    .inspect, .thumbnail(longestSide: 512), .thumbnail(longestSide: FrameLimits.thumbnailSide),
    .pixels(width: 1, height: 65_535, isPartial: false),
    .pixels(width: 800, height: 600, isPartial: true),
    .render(rendering), .colourGrid, .details,
  ]

  static let rendering = Rendering(
    region: PixelRegion(x: 1, y: 2, width: 300, height: 400),
    width: 30,
    height: 40,
    isMirrored: true,
    turn: .threeQuarters,
    colours: .blackAndWhite,
    encoding: .png
  )

  static func rendering(_ change: (inout Rendering) -> Void) -> DecoderTask {
    var rendering = rendering
    change(&rendering)
    return .render(rendering)
  }

  @Test(arguments: tasks)
  func `a request comes back as it was written`(task: DecoderTask) throws {
    let request = DecoderRequest(id: 0x0123_4567_89AB_CDEF, task: task)

    #expect(request.bytes.count == DecoderRequest.length)
    #expect(try DecoderRequest(request.bytes[...]) == request)
  }

  @Test func `a request of another length is wrong`() {
    let bytes = DecoderRequest(id: 1, task: .inspect).bytes

    #expect(throws: FrameError.length) { try DecoderRequest(bytes.dropLast()) }
    #expect(throws: FrameError.length) { try DecoderRequest((bytes + [0])[...]) }
    #expect(throws: FrameError.length) { try DecoderRequest([]) }
  }

  @Test func `a request without its mark is wrong`() {
    let bytes = [UInt8](repeating: 0, count: DecoderRequest.length)

    #expect(throws: FrameError.notAFrame) { try DecoderRequest(bytes[...]) }
  }

  @Test(arguments: [
    DecoderTask.thumbnail(longestSide: 0),
    .thumbnail(longestSide: FrameLimits.thumbnailSide + 1),
    .pixels(width: 0, height: 10, isPartial: false),
    .pixels(width: 10, height: FrameLimits.boxSide + 1, isPartial: false),
    .pixels(width: -1, height: 10, isPartial: false),
    rendering { $0.width = 301 }, rendering { $0.height = 401 }, rendering { $0.width = 0 },
    rendering { $0.region.x = 1 << 31 }, rendering { $0.region.width = 1 << 31 },
    rendering { ($0.region.width, $0.width) = (20_000, Rendering.longestSide + 1) },
    rendering {
      $0.region = PixelRegion(x: 0, y: 0, width: 10_000, height: 10_000)
      ($0.width, $0.height) = (6_001, 6_000)
    },
  ])
  func `sizes out of bounds are wrong`(task: DecoderTask) {
    let bytes = DecoderRequest(id: 1, task: task).bytes

    #expect(throws: FrameError.self) { try DecoderRequest(bytes[...]) }
  }

  @Test(arguments: tasks)
  func `reading a request never traps, with any byte changed`(task: DecoderTask) {
    let bytes = DecoderRequest(id: 1, task: task).bytes
    for place in bytes.indices {
      for value in [0, 1, 2, 3, 0x7F, 0x80, 0xFF] as [UInt8] {
        var changed = bytes
        changed[place] = value
        // The request may be rejected, but if it is read, it must have the same bytes.
        if let request = try? DecoderRequest(changed[...]) {
          #expect(request.bytes == changed)
        }
      }
    }
  }
}
