internal import CLinux
import DecoderFrames
import Glibc
import Models
import PictureFiles

/// The program `gallery-decoder`, which decodes pictures for the program that started it.
///
/// The starting program is at the other end of a socket on standard input. The decoder takes no
/// arguments, or `--formats` alone. The sandbox is complete before the decoder reads the first picture. See
/// Documentation/Decoder.md.
@main
enum DecoderProgram {
  static func main() {
    if CommandLine.arguments.dropFirst() == ["--formats"] { exit(listFormats()) }
    guard CommandLine.arguments.count == 1, let connection = Connection(standardInput: ()) else {
      exit(explain())
    }
    let endsWithParent = Lockdown.endWithParent()
    guard let library = VipsLibrary() else { exit(EXIT_FAILURE) }
    library.warmUp()
    var protections = Lockdown.close()
    if endsWithParent { protections.insert(.endsWithParent) }
    if library.trustsNoOtherLoaders { protections.insert(.trustedLoadersOnly) }
    DecoderLoop(connection: connection).run(protections: protections, library: library.version)
  }

  /// Prints the formats that are drawn on this machine, one on a line, and those that are not.
  private static func listFormats() -> Int32 {
    guard let library = VipsLibrary() else { return EXIT_FAILURE }
    let drawn = VipsLibrary.formats
    let lines = ImageFormat.allCases.map { format in
      drawn.contains(format)
        ? format.mediaType : "\(format.mediaType) (not with \(library.version))"
    }
    let text = lines.joined(separator: "\n") + "\n"
    return text.withCString { write(STDOUT_FILENO, $0, strlen($0)) } > 0
      ? EXIT_SUCCESS : EXIT_FAILURE
  }

  /// Prints the purpose of the program for a user who starts it by hand.
  private static func explain() -> Int32 {
    let text = "gallery-decoder works for gallery, which starts it where it needs it\n"
    _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    return 64
  }
}

/// Answers requests one at a time until the other end closes the connection.
struct DecoderLoop {
  let connection: Connection

  func run(protections: Set<DecoderProtection>, library: String) {
    let greeting = DecoderGreeting(
      protections: protections,
      library: library,
      formats: VipsLibrary.formats
    )
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
      let format = ImageHeader(incoming.file.beginning())?.format
      let refusal = error.explained(of: format, memoryLimit: Int(ResourceLimits.memory))
      answer(.refusal, id: incoming.request.id, refusal.payload)
    }
  }

  private func perform(
    _ request: DecoderRequest,
    on file: borrowing PictureFile
  ) throws(Refusal) {
    let opened = try OpenedPicture(file, isPartial: request.task.isPartial)
    do throws(Refusal) {
      try perform(request, opened, file)
    } catch {
      let first = error
      guard let ended = opened.withEnd(of: file) else { throw first }
      do throws(Refusal) {
        try perform(request, ended, file)
      } catch {
        throw first
      }
    }
  }

  private func perform(
    _ request: DecoderRequest,
    _ opened: OpenedPicture,
    _ file: borrowing PictureFile
  ) throws(Refusal) {
    switch request.task {
    case .inspect: answer(.facts, id: request.id, opened.header.facts.payload)
    case .thumbnail(let side):
      let thumbnail = try opened.thumbnail(longestSide: side, of: file)
      try opened.reading.checkWarnings()
      answer(.thumbnail, id: request.id, thumbnail.head.bytes, thumbnail.file.bytes)
    case .pixels(let width, let height, _):
      let pixels = try opened.pixels(box: (width: width, height: height), of: file)
      try opened.reading.checkWarnings()
      answer(.pixels, id: request.id, pixels.head.bytes, pixels.memory.bytes)
    case .render(let rendering):
      let made = try opened.rendered(rendering, of: file)
      try opened.reading.checkWarnings()
      answer(.rendering, id: request.id, [], made.bytes)
    case .colourGrid:
      let grid = try opened.colourGrid(of: file)
      try opened.reading.checkWarnings()
      answer(.colourGrid, id: request.id, [], grid.bytes)
    case .details:
      answer(.details, id: request.id, try opened.details(of: file).payload)
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

/// A request and the file of its picture.
struct IncomingRequest: ~Copyable {
  let request: DecoderRequest
  let file: PictureFile
}

/// The socket on standard input, which leads to the program that sends the requests.
struct Connection {
  private let socket = STDIN_FILENO

  /// Checks standard input; nil when it is not a socket.
  init?(standardInput: Void) {
    var status = stat()
    guard fstat(socket, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
  }

  /// The next request with its file; nil when there are no more.
  ///
  /// A malformed frame also ends the process, because the starting program would not send one.
  func next() -> IncomingRequest? {
    var bytes = [UInt8](repeating: 0, count: DecoderRequest.length)
    var descriptor: Int32 = -1
    let received = bytes.withUnsafeMutableBytes {
      clinux_receive_descriptor(socket, $0.baseAddress, $0.count, &descriptor)
    }
    // The starting program sends a request in one piece, and a Unix socket delivers it in one piece.
    guard received == bytes.count, descriptor >= 0,
      let request = try? DecoderRequest(bytes[...])  // The error does not matter: the process ends.
    else { return nil }
    return IncomingRequest(request: request, file: PictureFile(taking: descriptor))
  }

  /// Sends all bytes; SIGPIPE ends the process when the other end is closed.
  func send(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = write(socket, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if sent < 0 && errno != EINTR { exit(EXIT_FAILURE) }
      rest = rest.dropFirst(max(0, sent))
    }
  }

  func send(_ bytes: [UInt8]) { bytes.withUnsafeBytes { send($0) } }
}
