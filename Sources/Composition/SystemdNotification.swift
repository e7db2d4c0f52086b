import FoundationEssentials
import Glibc

/// Reports the state of a program to the service manager (sd_notify(3)), and restarts the program on request.
package enum SystemdNotification {
  /// Sends a message to the socket in `$NOTIFY_SOCKET`; does nothing without one.
  package static func send(_ message: String) {
    guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"], !path.isEmpty else {
      return
    }
    let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // An at sign at the beginning represents the zero byte of an abstract name (unix(7)).
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

  /// Reports that this program will restart to read its settings (systemd.service(5), `Type=notify-reload`).
  package static func sendReloading() {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    send("RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1_000)")
  }

  /// Whether a SIGHUP requests a restart; a terminal sends the same signal when it is closed.
  package static var isService: Bool { isatty(STDERR_FILENO) == 0 }

  /// Restarts the program in the same process with the same arguments (execv(3)); ends it if that fails.
  package static func restart() -> Never {
    var words: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &words)
    perror("gallery: cannot begin again")
    exit(EXIT_FAILURE)
  }
}
