internal import CLinux
import DecoderFrames
import Glibc

/// The socket to the program that asks, on standard input.
struct Connection {
  private let socket = STDIN_FILENO

  /// nil when standard input is something else than a socket.
  init?(standardInput: Void) {
    var status = stat()
    guard fstat(socket, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
  }

  /// The next request, with the file that came beside it; nil when there will be none.
  ///
  /// A frame that is wrong ends the process: whoever sent it is not who it works for.
  func next() -> IncomingRequest? {
    var bytes = [UInt8](repeating: 0, count: DecoderRequest.length)
    var descriptor: Int32 = -1
    let received = bytes.withUnsafeMutableBytes {
      clinux_receive_descriptor(socket, $0.baseAddress, $0.count, &descriptor)
    }
    // What asks sends a request in one piece, and a socket of the machine keeps it so.
    guard received == bytes.count, descriptor >= 0,
      let request = try? DecoderRequest(bytes[...])  // Its one reader is gone with it.
    else { return nil }
    return IncomingRequest(request, file: PictureFile(taking: descriptor))
  }

  /// Sends all of it, or ends the process by SIGPIPE when nobody is there to read it.
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
