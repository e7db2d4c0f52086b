internal import CVips
import DecoderFrames
import Glibc
import Models

/// Where libvips reads the bytes of one picture, once.
struct PictureInput: ~Copyable {
  private let source: UnsafeMutablePointer<VipsSource>

  init?(taking source: UnsafeMutablePointer<VipsSource>?) {
    guard let source else { return nil }
    self.source = source
  }

  /// Reads an open file from its beginning.
  init(descriptor: Int32) throws(Refusal) {
    lseek(descriptor, 0, SEEK_SET)
    guard let source = vips_source_new_from_descriptor(descriptor) else {
      throw VipsMessage.refusal()
    }
    self.source = source
  }

  deinit { cvips_unref(source) }

  /// Makes the picture known to libvips; most of the decoding happens when its pixels are used.
  func load(_ plan: LoadPlan) throws(Refusal) -> Picture {
    var image: UnsafeMutablePointer<VipsImage>?
    guard load(plan, into: &image) == 0, let image else { throw VipsMessage.refusal() }
    return Picture(taking: image)
  }

  private func load(
    _ plan: LoadPlan,
    into image: inout UnsafeMutablePointer<VipsImage>?
  ) -> Int32 {
    switch plan.format {
    case .jpeg: cvips_load_jpeg(source, &image, Int32(plan.shrink), plan.failOn)
    case .png: cvips_load_png(source, &image, plan.failOn)
    case .gif: cvips_load_gif(source, &image, plan.failOn)
    case .webP: cvips_load_webp(source, &image, plan.scale, plan.failOn)
    case .tiff: cvips_load_tiff(source, &image, plan.failOn)
    case .avif, .heic: cvips_load_heif(source, &image, plan.failOn)
    case .bmp, .jpegXL, .svg: -1
    }
  }
}
