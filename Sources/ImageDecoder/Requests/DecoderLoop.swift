import DecoderFrames
import Glibc

/// Answers one request after the other until nobody asks any more.
struct DecoderLoop {
  let connection: Connection

  func run(protections: ProtectionSet, library: String) {
    let greeting = DecoderGreeting(protections: protections, library: library)
    answer(.greeting, id: 0, greeting.payload)
    while let incoming = connection.next() {
      ResourceLimits.startClock()
      answer(incoming)
      ResourceLimits.stopClock()
    }
  }

  private func answer(_ incoming: borrowing IncomingRequest) {
    do throws(Refusal) {
      try perform(incoming.request, on: incoming.file)
    } catch {
      answer(.refusal, id: incoming.request.id, error.payload)
    }
  }

  private func perform(
    _ request: DecoderRequest,
    on file: borrowing PictureFile
  ) throws(Refusal) {
    let opened = try OpenedPicture(file, isPartial: request.task.isPartial)
    switch request.task {
    case .inspect: answer(.facts, id: request.id, opened.header.facts.payload)
    case .thumbnail(let side):
      let thumbnail = try opened.thumbnail(longestSide: side, of: file)
      answer(.thumbnail, id: request.id, thumbnail.head.bytes, thumbnail.bytes)
    case .pixels(let width, let height, let isPartial):
      let box = (width: width, height: height)
      let pixels = try opened.pixels(box: box, isPartial: isPartial, of: file)
      answer(.pixels, id: request.id, pixels.head.bytes, pixels.bytes)
    }
  }

  private func answer(
    _ kind: AnswerKind,
    id: UInt64,
    _ head: [UInt8],
    _ body: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) {
    let length = head.count + body.count
    connection.send(AnswerHeader(kind: kind, id: id, payloadLength: length).bytes + head)
    connection.send(body)
  }
}
