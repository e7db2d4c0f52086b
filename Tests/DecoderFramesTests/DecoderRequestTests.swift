import DecoderFrames
import Testing

struct DecoderRequestTests {
  static let tasks: [DecoderTask] = [
    .inspect, .thumbnail(longestSide: 512), .thumbnail(longestSide: FrameLimits.thumbnailSide),
    .pixels(width: 1, height: 65_535, isPartial: false),
    .pixels(width: 800, height: 600, isPartial: true),
  ]

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
  ])
  func `sizes out of bounds are wrong`(task: DecoderTask) {
    let bytes = DecoderRequest(id: 1, task: task).bytes

    #expect(throws: FrameError.self) { try DecoderRequest(bytes[...]) }
  }

  @Test func `whatever byte is changed, reading a request never traps`() {
    let bytes = DecoderRequest(id: 1, task: .thumbnail(longestSide: 512)).bytes
    for place in bytes.indices {
      for value in [0, 1, 2, 3, 0x7F, 0x80, 0xFF] as [UInt8] {
        var changed = bytes
        changed[place] = value
        // Either way will do, as long as there is one.
        if let request = try? DecoderRequest(changed[...]) {
          #expect(request.bytes == changed)
        }
      }
    }
  }
}
