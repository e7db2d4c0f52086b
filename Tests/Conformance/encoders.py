"""Programs that write pictures, and how `gallery` draws, measures and describes what they write."""

from pictures import (
    ORIENTATION, XMP, Pictures, deep, gif_film, in_p3, lying, of_mode, pillow, quarter, square, upright,
)


def decoding(tools, *command):
    """A decoder that is a program with the names of a file and of a PNG."""

    def decode(path, png):
        tools.run(*command, path, png)
        if not png.exists():  # It numbers the pictures of a file.
            sorted(png.parent.glob(f"{png.stem}-*.png"))[0].replace(png)

    return decode


def heif_enc(tools):
    pictures = Pictures(tools)
    ways = {
        "lossy": [pictures.source("a.png")],
        "lossless": [pictures.source("b.jpg"), "-L", "-p", "chroma=444", "--matrix_coefficients=0"],
        "with a thumbnail": [pictures.source("c.png"), "-t", "128"],
        "alpha": [pictures.source("d.png", "RGBA")],
        "grey": [pictures.source("e.png", "L")],
        "ten bits": [deep(pictures), "-b", "10"],
        "profile": [in_p3(pictures)],
        # The file has the orientation in EXIF, which does not count in HEIF (ISO/IEC 23008-12, 6.5.10 and annex A).
        "turned by EXIF": [pictures.source("g.jpg", turned=6, quality=95)],
        # The first one is the primary item.
        "two pictures": [pictures.source("h.png"), pictures.source("i.png", "L")],
        "limited range": [pictures.source("j.png"), "--full_range_flag=0"],
    }
    for name, (source, *options) in ways.items():
        # It cannot write an AVIF of ten bits and full colours.
        for suffix in ("heic", "avif")[: 1 if name == "ten bits" else 2]:
            path = pictures.path(f"{name}.{suffix}")
            tools.run("heif-enc", "-q", "90", source, *options, "-o", path)
    for suffix in ("heic", "avif"):
        pictures.expect(f"turned by EXIF.{suffix}", lying)
        pictures.expect(f"profile.{suffix}", upright)
    return pictures.facts("heif-convert", decoding(tools, "heif-convert"))


def avifenc(tools):
    pictures = Pictures(tools)
    source, turned = pictures.source("a.png"), pictures.source("b.jpg", turned=6, quality=95)
    ways = {
        "lossy": [source], "lossless": ["-l", source], "halved colours": ["-y", "420", source],
        "grey": ["-y", "400", pictures.source("c.png", "L")], "ten bits": ["-d", "10", source],
        "twelve bits": ["-d", "12", pictures.source("d.png", "I;16")], "limited range": ["-r", "limited", source],
        "alpha": [pictures.source("e.png", "RGBA")], "multiplied alpha": ["-p", pictures.source("f.png", "RGBA")],
        "tiles of AV1": ["--tilecolslog2", "1", "--tilerowslog2", "1", source], "grid": ["-g", "2x2", source],
        "profile": [in_p3(pictures)], "turned by EXIF": [turned], "a quarter left": ["--irot", "1", source],
        "upside down": ["--irot", "2", source], "top to bottom": ["--imir", "0", source],
        "left to right": ["--imir", "1", source], "turned and mirrored": ["--irot", "1", "--imir", "1", source],
        "cropped": ["--crop", "0,0,240,160", source], "by rav1e": ["-c", "rav1e", source],
        "by SVT": ["-c", "svt", "-y", "420", source], "film": ["--fps", "5", *pictures.frames("film-%d.png")],
    }
    for name, arguments in ways.items():
        tools.run("avifenc", "-s", "9", "--min", "10", "--max", "16", *arguments, "-o", pictures.path(f"{name}.avif"))
    # avifdec ignores `irot`, `imir` and `clap`, and gives the colours of P3 with their profile.
    for name in ("a quarter left", "upside down", "top to bottom", "left to right", "turned and mirrored"):
        pictures.expect(f"{name}.avif", pillow)
    for name in ("profile", "turned by EXIF"):
        pictures.expect(f"{name}.avif", upright)
    pictures.expect("cropped.avif", quarter)
    return pictures.facts("avifdec", decoding(tools, "avifdec"))


def webp(tools):
    pictures = Pictures(tools)
    source, clear = pictures.source("a.png"), pictures.source("b.png", "RGBA")
    ways = {
        "lossy": [source], "lossless": ["-lossless", source], "nearly lossless": ["-near_lossless", "60", source],
        "grey": [pictures.source("c.png", "L")], "alpha": [clear], "lossless alpha": ["-lossless", "-exact", clear],
        "palette": ["-lossless", pictures.source("d.png", "P")], "of 16 bits": [pictures.source("e.png", "I;16")],
        "profile": ["-metadata", "all", in_p3(pictures)], "sharp": ["-sharp_yuv", source],
        "turned by EXIF": ["-metadata", "all", pictures.source("f.jpg", turned=6, quality=95)],
        "turned without EXIF": [pictures.source("g.jpg", turned=6, quality=95)],
        "cropped": ["-crop", "0", "0", "240", "160", source], "half": ["-resize", "240", "0", source],
    }
    for name, arguments in ways.items():
        tools.run("cwebp", "-quiet", "-q", "95", *arguments, "-o", pictures.path(f"{name}.webp"))
    pictures.expect("turned by EXIF.webp", upright)
    pictures.expect("turned without EXIF.webp", lying)
    pictures.expect("profile.webp", upright)
    frames = pictures.frames("film-%d.png")
    tools.run("img2webp", "-loop", "2", "-d", "80", *frames, "-o", pictures.path("film.webp"))
    tools.run("img2webp", "-lossy", "-q", "95", "-mixed", *frames, "-o", pictures.path("mixed film.webp"))
    film = pictures.sources / "film.gif"
    gif_film(frames, film)
    tools.run("gif2webp", "-quiet", film, "-o", pictures.path("film of a GIF.webp"))
    tools.run("gif2webp", "-quiet", "-lossy", "-q", "95", film, "-o", pictures.path("lossy film of a GIF.webp"))
    xmp = tools.write("xmp", XMP)
    tools.run("webpmux", "-set", "xmp", xmp, pictures.path("lossy.webp"), "-o", pictures.path("with XMP.webp"))

    def decode(path, png):
        if "film" in path.name:
            tools.run("webpmux", "-get", "frame", "1", path, "-o", png.with_suffix(".webp"))
            path = png.with_suffix(".webp")
        tools.run("dwebp", "-quiet", path, "-o", png)

    return pictures.facts("dwebp", decode)


def libjxl(tools):
    pictures = Pictures(tools)
    source, photo = pictures.source("a.png"), pictures.source("b.jpg", quality=95)
    film = pictures.sources / "film.gif"
    frames = pictures.frames("film-%d.png")
    gif_film(frames, film)
    ways = {
        "lossy": [source], "lossless": [source, "-d", "0"], "a JPEG within": [photo],
        "of a JPEG's pixels": [photo, "-j", "0", "-d", "1"], "progressive": [source, "-p"],
        "modular": [source, "-m", "1", "-d", "1"], "alpha": [pictures.source("c.png", "RGBA")],
        "lossless alpha": [pictures.source("d.png", "RGBA"), "-d", "0"], "grey": [pictures.source("e.png", "L")],
        "16 bits": [pictures.source("f.png", "I;16"), "-d", "0"], "profile": [in_p3(pictures)],
        "a turned JPEG within": [pictures.source("g.jpg", turned=6, quality=95)],
        "progressive JPEG within": [pictures.source("h.jpg", quality=95, progressive=True)],
        "in boxes": [source, "--container=1"], "film": [film],
        "square": [square(pictures), "-d", "0"],
    }
    for name, (path, *options) in ways.items():
        tools.run("cjxl", path, pictures.path(f"{name}.jxl"), "-e", "3", *options)
    pictures.expect("profile.jxl", upright)
    # libvips 8.14 has no other: findings/vips-jxl-film-last-frame.sh.
    pictures.expect("film.jxl", lambda path, _: pillow(frames[-1]))
    return pictures.facts("djxl", decoding(tools, "djxl"))


# What ImageMagick and GraphicsMagick are asked for alike.
MAGICK = {
    "baseline.jpg": ["-quality", "92"], "progressive.jpg": ["-interlace", "Line", "-quality", "92"],
    "halved colours.jpg": ["-sampling-factor", "2x2", "-quality", "92"],
    "grey.jpg": ["-colorspace", "Gray", "-type", "Grayscale"], "CMYK.jpg": ["-colorspace", "CMYK", "-quality", "95"],
    "interlaced.png": ["-interlace", "Line"], "palette.png": ["-colors", "64", "-type", "Palette"],
    "16 bits.png": ["-depth", "16", "-define", "png:bit-depth=16"], "grey.png": ["-type", "Grayscale"],
    "black and white.png": ["-monochrome"], "LZW.tif": ["-compress", "LZW"], "deflate.tif": ["-compress", "Zip"],
    "plain.tif": ["-compress", "None"], "16 bits.tif": ["-depth", "16"], "packed.tif": ["-compress", "RLE"],
    "CMYK.tif": ["-colorspace", "CMYK", "-compress", "LZW"], "JPEG within.tif": ["-compress", "JPEG"],
    "tiles.tif": ["-define", "tiff:tile-geometry=64x64", "-compress", "LZW"],
    "fax.tif": ["-monochrome", "-compress", "Group4"], "big-endian.tif": ["-endian", "MSB", "-compress", "None"],
    "lossy.webp": ["-quality", "92"], "lossless.webp": ["-define", "webp:lossless=true"], "plain.gif": [],
    "interlaced.gif": ["-interlace", "Line"], "plain.bmp": [], "eight bits.bmp": ["-type", "Palette", "-colors", "64"],
    "plain.ppm": [], "grey.pgm": ["-type", "Grayscale"], "bits.pbm": ["-monochrome"], "plain.jp2": ["-quality", "92"],
}


def magick(tools, convert, more, decoder):
    pictures = Pictures(tools)
    source, clear = pictures.source("a.png"), pictures.source("b.png", "RGBA")
    turned = pictures.source("c.jpg", turned=6, quality=95)
    for name, options in MAGICK.items():
        tools.run(*convert, source, *options, pictures.path(name))
    for name in ("alpha.png", "alpha.webp", "alpha.tif"):
        tools.run(*convert, clear, pictures.path(name))
    for name in ("turned.jpg", "turned.png", "turned.tif", "turned.webp"):
        tools.run(*convert, turned, "-quality", "92", pictures.path(name))
    tools.run(*convert, turned, "-auto-orient", "-quality", "92", pictures.path("made upright.jpg"))
    frames = pictures.frames("film-%d.png")
    tools.run(*convert, "-delay", "10", *frames, "-loop", "0", pictures.path("film.gif"))
    tools.run(*convert, *frames, "-compress", "LZW", pictures.path("pages.tif"))
    tools.run(*convert, in_p3(pictures), "-quality", "95", pictures.path("profile.jpg"))
    pictures.expect("profile.jpg", upright)
    for name, options in more.items():
        tools.run(*convert, source, *options, pictures.path(name))

    # Neither minds the orientation of a WebP.
    pictures.expect("turned.webp", upright)
    for name in ("CMYK.jpg", "CMYK.tif"):
        # Without a profile, the colours of CMYK are a matter of taste.
        pictures.expect(name, None)

    def decode(path, png):
        tools.run(*convert, f"{path}[0]", "-auto-orient", png)

    return pictures.facts(decoder, decode)


def imagemagick(tools):
    return magick(tools, ["convert"], {
        "lossy.heic": ["-quality", "90"], "lossy.avif": ["-quality", "90"],
        "LZMA.tif": ["-compress", "LZMA"], "Zstandard.tif": ["-compress", "ZSTD"],
        "by planes.tif": ["-interlace", "Plane", "-compress", "LZW"], "icon.ico": ["-resize", "240x160"],
        "float.tif": ["-depth", "32", "-define", "quantum:format=floating-point"],
    }, "ImageMagick")


def graphicsmagick(tools):
    return magick(tools, ["gm", "convert"], {"by planes.tif": ["-interlace", "Plane", "-compress", "LZW"]},
                  "GraphicsMagick")


def ffmpeg(tools):
    pictures = Pictures(tools)
    source, clear = pictures.source("a.png"), pictures.source("b.png", "RGBA")
    deep, turned = pictures.source("c.png", "I;16"), pictures.source("d.jpg", turned=6, quality=95)
    pictures.frames("film-%d.png")
    frames = ["-framerate", "10", "-i", str(pictures.sources / "film-%d.png")]
    ways = {
        "plain.jpg": ["-i", source, "-q:v", "2"],
        "full colours.jpg": ["-i", source, "-q:v", "2", "-pix_fmt", "yuvj444p"],
        "grey.jpg": ["-i", source, "-q:v", "2", "-pix_fmt", "gray"], "plain.png": ["-i", source],
        "alpha.png": ["-i", clear], "16 bits.png": ["-i", source, "-pix_fmt", "rgb48be"],
        "grey 16 bits.png": ["-i", deep],
        "palette.png": ["-i", source, "-pix_fmt", "pal8"], "lossy.webp": ["-i", source, "-quality", "95"],
        "lossless.webp": ["-i", source, "-lossless", "1"], "alpha.webp": ["-i", clear, "-quality", "95"],
        "plain.tif": ["-i", source], "deflate.tif": ["-i", source, "-compression_algo", "deflate"],
        "16 bits.tif": ["-i", source, "-pix_fmt", "rgb48le"],
        "colours of JPEG.tif": ["-i", source, "-pix_fmt", "yuv420p"],
        "plain.bmp": ["-i", source], "plain.gif": ["-i", source], "plain.ppm": ["-i", source],
        "16 bits.ppm": ["-i", source, "-pix_fmt", "rgb48be"], "grey.pgm": ["-i", source, "-pix_fmt", "gray"],
        "plain.jp2": ["-i", source, "-c:v", "libopenjpeg"], "own coder.jp2": ["-i", source, "-c:v", "jpeg2000"],
        "lossy.jxl": ["-i", source], "lossless.jxl": ["-i", source, "-distance", "0"],
        "turned.jpg": ["-i", turned, "-q:v", "2"],
        "still.avif": ["-i", source, "-c:v", "libaom-av1", "-still-picture", "1", "-crf", "10", "-cpu-used", "8"],
        "ten bits.avif": ["-i", source, "-c:v", "libaom-av1", "-still-picture", "1", "-crf", "10", "-cpu-used", "8",
                          "-pix_fmt", "yuv420p10le"],
        "film.gif": frames, "film.apng": [*frames, "-plays", "0"],
        "film.webp": [*frames, "-loop", "0", "-quality", "95"],
        "film.avif": [*frames, "-c:v", "libaom-av1", "-crf", "10", "-cpu-used", "8"],
    }
    for name, options in ways.items():
        one = [] if "film" in name else ["-frames:v", "1"]
        if one and not name.endswith("avif"):
            one += ["-update", "1"]
        tools.run("ffmpeg", "-v", "error", *options, *one, pictures.path(name))

    # It does not read films in WebP.
    pictures.expect("film.webp", pillow)

    def decode(path, png):
        tools.run("ffmpeg", "-v", "error", "-y", "-i", path, "-frames:v", "1", "-update", "1", png)

    return pictures.facts("ffmpeg", decode)


def pillow_encoders(tools):
    import pillow_avif  # noqa: F401, it registers itself
    import pillow_heif
    import pillow_jxl  # noqa: F401
    from PIL import Image

    pillow_heif.register_heif_opener()
    pictures = Pictures(tools)
    modes = {"colours": "RGB", "alpha": "RGBA", "grey": "L", "palette": "P", "black and white": "1", "CMYK": "CMYK"}
    modes |= {"grey alpha": "LA", "16 bits": "I;16"}
    kept = {
        "jpg": ["colours", "grey", "CMYK"], "tif": [name for name in modes if name != "grey alpha"],
        "png": [name for name in modes if name != "CMYK"], "webp": ["colours", "alpha"],
        "heic": ["colours", "alpha", "grey", "16 bits"], "avif": ["colours", "alpha"],
        "jxl": ["colours", "alpha", "grey"], "jp2": ["colours", "alpha", "grey"],
        "gif": ["colours", "grey"], "bmp": ["colours", "grey", "black and white"], "ppm": ["colours"],
    }
    for suffix, names in kept.items():
        for name in names:
            image = of_mode(modes[name])
            image.save(pictures.path(f"{name}.{suffix}"), quality=95)
    image = of_mode("RGB")
    ways = {
        "progressive.jpg": {"progressive": True, "quality": 95}, "full colours.jpg": {"subsampling": 0, "quality": 95},
        "with restarts.jpg": {"restart_marker_rows": 1, "quality": 95}, "lossless.webp": {"lossless": True},
        "LZW.tif": {"compression": "tiff_lzw"}, "JPEG within.tif": {"compression": "jpeg", "quality": 95},
        "deflate.tif": {"compression": "tiff_adobe_deflate"}, "big.tif": {"big_tiff": True},
        "lossless.jxl": {"lossless": True}, "lossless.jp2": {"irreversible": False},
        "grey.avif": {"subsampling": "4:0:0"},
        "tiles.jp2": {"tile_size": (128, 128)},
    }
    for name, options in ways.items():
        image.save(pictures.path(name), **options)
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    lies = image.transpose(Image.Transpose.ROTATE_90)
    for suffix in ("jpg", "png", "webp", "tif", "heic", "avif", "jxl"):
        # As bytes, because the plug-in for JPEG XL takes no `Image.Exif`.
        lies.save(pictures.path(f"turned.{suffix}"), exif=exif.tobytes(), quality=95)
    # The orientation in EXIF does not count in JPEG XL, and this one has no other:
    # findings/pillow-jxl-plugin-orientation.sh.
    pictures.expect("turned.jxl", lying)
    films = [Image.open(path) for path in pictures.frames("film-%d.png")]
    for suffix in ("gif", "png", "webp", "avif", "heic", "tif"):
        films[0].save(
            pictures.path(f"film.{suffix}"), save_all=True, append_images=films[1:], duration=100, quality=95
        )
    # A Multi-Picture file has whole JPEG files one after another.
    films[0].save(pictures.path("three.jpg"), "MPO", save_all=True, append_images=films[1:], quality=95)
    in_p3(pictures)
    with Image.open(pictures.sources / "p3.png") as wide:
        for suffix in ("jpg", "png", "webp", "tif", "heic", "avif", "jxl"):
            wide.save(pictures.path(f"profile.{suffix}"), icc_profile=wide.info["icc_profile"], quality=95)
            # The plug-in for JPEG XL drops the profile: findings/pillow-jxl-plugin-profile.sh.
            if suffix != "jxl":
                pictures.expect(f"profile.{suffix}", upright)
    for suffix in ("jpg", "tif"):
        pictures.expect(f"CMYK.{suffix}", None)
    return pictures.facts("Pillow", pillow)


def jpeg_optimizers(tools):
    """Programs that make JPEG files smaller: jpegli in a binding, and the lossless step of MozJPEG."""
    import mozjpeg_lossless_optimization
    import pyjpegli

    pictures = Pictures(tools)
    image = of_mode("RGB")
    for quality in (60, 75, 95):
        made = pyjpegli.encode(image.tobytes(), *image.size, quality=quality)
        pictures.path(f"jpegli at {quality}.jpg").write_bytes(made)
    for name, mode, turned, options in (
        ("baseline", "RGB", 0, {}), ("grey", "L", 0, {}), ("turned", "RGB", 6, {}),
        ("full colours", "RGB", 0, {"subsampling": 0}),
    ):
        path = pictures.source(f"{name}.jpg", mode, turned, quality=95, **options)
        for copies in (True, False):
            keep = mozjpeg_lossless_optimization.COPY_MARKERS
            markers = keep.ALL if copies else keep.NONE
            made = mozjpeg_lossless_optimization.optimize(path.read_bytes(), copy=markers)
            pictures.path(f"{name}, {'all' if copies else 'no'} markers.jpg").write_bytes(made)
    # Without its markers, the picture has lost its orientation.
    pictures.expect("turned, no markers.jpg", lying)
    return pictures.facts("Pillow", pillow)
