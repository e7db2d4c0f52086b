import Composition
import HTTPTypes
import Hummingbird
import Web
import Workers

/// What those who run the server ask it.
extension GalleryServer {
  func addOperations(to routes: Routes) {
    // The one answer without a token: it tells nothing about the library.
    routes.get("/healthz") { _, _ in
      Response(
        status: .ok,
        headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
        body: .init(byteBuffer: ByteBuffer(string: "ok\n"))
      )
    }
    routes.get("/metrics") { _, context in
      try context.requireWholeLibrary()
      let version = try await root.library.version()
      let counts = await jobs.counts
      let text = metrics.text(
        changes: version.number,
        runningJobs: counts.running,
        endedJobs: counts.ended
      )
      return Response(
        status: .ok,
        headers: [.contentType: "text/plain; version=0.0.4", .cacheControl: "no-store"],
        body: .init(byteBuffer: ByteBuffer(string: text))
      )
    }
  }
}
