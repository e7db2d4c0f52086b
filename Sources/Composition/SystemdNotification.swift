import Foundation
import Glibc

/// Tells the service manager how a program is getting on (sd_notify(3)).
package enum SystemdNotification {
  /// Sends to the socket of `$NOTIFY_SOCKET`; does nothing without one.
  package static func send(_ message: String) {
    guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"], !path.isEmpty else {
      return
    }
    let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // An at sign stands for the zero byte of an abstract name (unix(7)).
    let name = Array(path.utf8).map { $0 == UInt8(ascii: "@") && path.hasPrefix("@") ? 0 : $0 }
    let length = MemoryLayout<sa_family_t>.size + name.count
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = sendto(
          descriptor,
          message,
          message.utf8.count,
          CInt(MSG_NOSIGNAL),
          address,
          socklen_t(length)
        )
      }
    }
  }
}
