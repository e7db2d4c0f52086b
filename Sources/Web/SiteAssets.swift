import CZlib
import Scenes

/// The scripts, styles and icons of the pages, which are embedded in the program.
///
/// All of them are in one folder, named by a hash of all files. So a new version of the program has other addresses,
/// and browsers may keep each file for a year (RFC 8246). Scripts and styles come in bundles (`AssetBundles`).
package struct SiteAssets: Sendable {
  package struct Asset: Sendable {
    package var mediaType: String
    package var bytes: [UInt8]
    /// The bytes compressed with gzip (RFC 1952); nil when they are not shorter.
    package var gzipped: [UInt8]?
  }

  /// The name of the folder: 16 hexadecimal digits.
  package let hash: String
  private let assets: [String: Asset]

  /// Those of this program.
  package static let embedded = SiteAssets(AssetBundles.join(EmbeddedFiles.assets))

  init(_ files: [AssetBundles.File]) {
    // FNV-1a with 64 bits: the hash names versions, and secures nothing.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for file in files {
      for byte in Array(file.name.utf8) + file.bytes {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    self.hash = hash.hexadecimal
    assets = Dictionary(
      uniqueKeysWithValues: files.map { file in
        let gzipped = GZip.compress(file.bytes, level: 9)
        let asset = Asset(
          mediaType: Self.mediaType(of: file.name),
          bytes: file.bytes,
          gzipped: gzipped.flatMap { $0.count < file.bytes.count ? $0 : nil }
        )
        return (file.name, asset)
      }
    )
  }

  package subscript(name: String) -> Asset? { assets[name] }

  /// The names of all assets, in alphabetical order.
  package var names: [String] { assets.keys.sorted() }

  /// The script of the workers, with the names of the files that a browser keeps for use without the server.
  package var worker: [UInt8] { worker(ofStaticSite: false) }

  func worker(ofStaticSite isStatic: Bool) -> [UInt8] {
    let kept = names.filter { $0 != "worker.js" }.map { "\"\($0)\"" }.joined(separator: ",")
    let facts = "const assets=\"\(hash)\",names=[\(kept)],isStatic=\(isStatic);\n"
    return Array(facts.utf8) + (assets["worker.js"]?.bytes ?? [])
  }

  private static func mediaType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "webmanifest": "application/manifest+json"
    case "json": "application/json"
    default: "application/octet-stream"
    }
  }
}

extension UInt64 {
  /// 16 hexadecimal digits.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// Compression of responses (RFC 1952).
package enum GZip {
  /// Compresses in one step; nil when there is not enough memory.
  ///
  /// The level is from 1, the fastest, to 9, the smallest.
  package static func compress(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    // 15 bits for the window, and 16 more for the header of gzip.
    guard
      deflateInit2_(
        &stream,
        level,
        Z_DEFLATED,
        15 + 16,
        8,
        Z_DEFAULT_STRATEGY,
        ZLIB_VERSION,
        size
      ) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    let capacity = Int(deflateBound(&stream, UInt(bytes.count)))
    var input = bytes
    return input.withUnsafeMutableBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(capacity)
        count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
      }
    }
  }
}
