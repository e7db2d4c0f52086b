"""Programs that write pictures, and how `gallery` draws, measures and describes what they write."""

import array
import math
import zlib

from pictures import (
    CHART, ERROR, MEAN_ERROR, ORIENTATION, PUBLISHED, XMP, Pictures, chart, deep, difference, errors, fractions,
    gif_film, in_p3, linear, lying, multiplied, of_mode, pillow, quarter, square, upright,
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


# Light of sRGB's primaries in the shares of others with the same white (of BT.2020: ITU-R BT.2087, table 4).
PRIMARIES = {
    "sRGB": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "P3": ((0.8224621, 0.1775380, 0), (0.0331942, 0.9668058, 0), (0.0170826, 0.0723974, 0.9105199)),
    "BT.2020": (
        (0.6274039, 0.3292830, 0.0433131), (0.0690973, 0.9195404, 0.0113623), (0.0163914, 0.0880133, 0.8955953),
    ),
    "Adobe": ((0.7151256, 0.2848744, 0), (0, 1, 0), (0, 0.0411619, 0.9588381)),
}
# Light of a white page in HDR, in cd/m² (ITU-R BT.2408, section 2.1).
PAGE = 203


def sRGB(light):
    return [share * 12.92 if share <= 0.0031308 else 1.055 * share ** (1 / 2.4) - 0.055 for share in light]


def root(light):
    return [share ** (1 / 2.2) for share in light]


def PQ(light):
    """SMPTE ST 2084, section 5.2."""
    powers = [(share * PAGE / 10_000) ** 0.1593017578125 for share in light]
    return [((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375 for power in powers]


def HLG(light):
    """The numbers of light on a display with a peak of 1,000 cd/m² (ITU-R BT.2100, table 5)."""
    shown = [share * PAGE / 1_000 for share in light]
    luminance = sum(factor * share for factor, share in zip((0.2627, 0.6780, 0.0593), shown))
    scene = [share * luminance ** (1 / 1.2 - 1) for share in shown]
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    return [math.sqrt(3 * share) if share <= 1 / 12 else a * math.log(12 * share - b) + c for share in scene]


def colours(tools):
    """Known colours in many forms, compared with what they are in sRGB."""
    from PIL import Image

    wrong = [pair for pair in PUBLISHED if abs(difference(*pair[:2]) - pair[2]) > 0.00005]
    yield f"ΔE2000 of {len(PUBLISHED)} published pairs: {wrong or 'right'}"
    pictures = Pictures(tools)
    write_charts(tools, pictures)
    library = tools.folder / "library"
    tools.gallery("sync", "--quiet", "--cache", library, pictures.folder, accept=(0, 2))
    images = pictures.images(library)
    thumbnails = pictures.thumbnails(library, [image["id"] for image in images.values() if image["thumbnail"]])
    greys = [(Image.new("RGB", (1, 1), colour).convert("L").getpixel((0, 0)),) * 3 for colour in CHART]
    for name in pictures.names():
        thumbnail = thumbnails.get(images[name]["id"]) if name in images else None
        if not thumbnail:
            yield f"{name}: no thumbnail"
            continue
        with Image.open(thumbnail) as drawn:
            found = list(errors(drawn.convert("RGB"), greys if name.startswith("grey") else CHART))
        mean, most = sum(found) / len(found), max(found)
        is_right = mean <= MEAN_ERROR and most <= ERROR
        yield f"{name}: " + ("its colours" if is_right else f"ΔE2000 {mean:.1f}, at most {most:.1f}")


def write_charts(tools, pictures):
    """Writes the chart with each program."""
    plain, image = pictures.sources / "plain.png", chart()
    image.save(plain)
    p3, quantized, hybrid = (
        encoded(tools, pictures, *way) for way in (("P3", sRGB), ("BT.2020", PQ), ("BT.2020", HLG))
    )
    # PNG states its colours by numbers of H.273, or by a gamma and the places of white, red, green and blue.
    declare(pictures.path("P3 by cICP.png"), p3, (b"cICP", bytes([12, 13, 0, 1])))
    declare(pictures.path("PQ by cICP.png"), quantized, (b"cICP", bytes([9, 16, 0, 1])))
    declare(pictures.path("HLG by cICP.png"), hybrid, (b"cICP", bytes([9, 18, 0, 1])))
    light = encoded(tools, pictures, "sRGB", list)
    declare(pictures.path("light by gAMA.png"), light, (b"gAMA", numbers(100_000)))
    declare(
        pictures.path("Adobe RGB by cHRM.png"), encoded(tools, pictures, "Adobe", root), (b"gAMA", numbers(45_455)),
        (b"cHRM", numbers(31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000)),
    )
    for suffix in ("jpg[Q=95]", "png", "tif[compression=deflate]", "webp[Q=95]", "heic[Q=95]", "jxl"):
        path = f"{pictures.folder}/P3 by libvips.{suffix}"
        tools.run("vips", "icc_transform", plain, path, "p3", "--input-profile", "srgb")
    tools.run("vips", "icc_transform", plain, pictures.path("deep P3 by libvips.png"), "p3", "--depth", "16")
    for name, source, *options in (
        ("P3", p3, "12/13/6"), ("PQ", quantized, "9/16/9", "-d", "10"), ("HLG", hybrid, "9/18/9", "-d", "10"),
        ("narrow PQ", quantized, "9/16/9", "-d", "10", "-r", "limited"), ("narrow", plain, "1/13/1", "-r", "limited"),
        ("halved", plain, "1/13/6", "-y", "420"), ("lossless", plain, "1/13/0", "-l"),
    ):
        path = pictures.path(f"{name} by avifenc.avif")
        tools.run("avifenc", "-s", "9", "--min", "4", "--max", "8", "--cicp", *options, source, "-o", path)
    # It has options for other colours, and leaves them out of the file.
    for suffix in ("heic", "avif"):
        tools.run("heif-enc", "-q", "95", plain, "-o", pictures.path(f"plain by heif-enc.{suffix}"))
    tools.run("cwebp", "-quiet", "-q", "95", plain, "-o", pictures.path("plain by cwebp.webp"))
    light = pictures.sources / "light.pfm"
    light.write_bytes(fractions())
    for name, source, *space in (
        ("plain", plain), ("PQ", quantized, "RGB_D65_202_Rel_PeQ"), ("HLG", hybrid, "RGB_D65_202_Rel_HLG"),
        ("fractions", light, "RGB_D65_SRG_Rel_Lin"),
    ):
        stated = ["-x", f"color_space={space[0]}"] if space else []
        tools.run("cjxl", source, pictures.path(f"{name} by cjxl.jxl"), "-e", "3", *stated)
    others = {"P3": (p3, 12, 13, 6), "PQ": (quantized, 9, 16, 9), "HLG": (hybrid, 9, 18, 9)}
    write_charts_with_pillow(pictures, image, others)


def write_charts_with_pillow(pictures, image, others):
    """Writes the chart, and charts in other colours with their numbers of H.273: primaries, curve and matrix."""
    import pillow_avif  # noqa: F401, it registers itself
    import pillow_heif
    from PIL import ImageCms

    pillow_heif.register_heif_opener()
    pillow_heif.options.SAVE_NCLX_PROFILE = True
    for suffix in ("jpg", "png", "webp", "tif", "gif", "heic", "avif"):
        image.save(pictures.path(f"plain by Pillow.{suffix}"), quality=95)
    # A profile for other colours than the picture has does not count.
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for suffix in ("jpg", "png", "tif"):
        image.convert("L").save(pictures.path(f"grey by Pillow.{suffix}"), quality=95, icc_profile=profile)
    for name, (source, *points) in others.items():
        # The samples of 16 bits are in the order of PPM, but for their bytes.
        samples = array.array("H", source.with_suffix(".ppm").read_bytes()[-6 * image.width * image.height :])
        samples.byteswap()
        deep = pillow_heif.from_bytes("RGB;16", image.size, samples.tobytes())
        keys = ("color_primaries", "transfer_characteristics", "matrix_coefficients", "full_range_flag")
        deep.info["nclx_profile"] = dict(zip(keys, (*points, 1)))
        deep.save(pictures.path(f"{name} by pillow-heif.heic"), quality=95, chroma=444)


def encoded(tools, pictures, primaries, curve):
    """A PNG of 16 bits with the chart in other colours, which it does not name; a PPM of the same name is beside it."""
    ppm = pictures.sources / f"{primaries} {curve.__name__}.ppm"
    ppm.write_bytes(chart(lambda colour: curve(multiplied(PRIMARIES[primaries], linear(colour)))))
    tools.run("vips", "copy", ppm, ppm.with_suffix(".png"))
    return ppm.with_suffix(".png")


def declare(path, png, *chunks):
    """Writes a PNG with more chunks behind its signature and IHDR."""
    content = png.read_bytes()
    added = [len(body).to_bytes(4) + kind + body + zlib.crc32(kind + body).to_bytes(4) for kind, body in chunks]
    path.write_bytes(content[:33] + b"".join(added) + content[33:])


def numbers(*values):
    return b"".join(value.to_bytes(4) for value in values)


def gdal(tools):
    """Pictures of gdal_translate, which makes those of maps."""
    pictures = Pictures(tools)
    source, clear = pictures.source("a.png"), pictures.source("b.png", "RGBA")
    deep, grey = pictures.source("c.png", "I;16"), pictures.source("d.png", "L")
    tif = ("-of", "GTiff", "-co")
    ways = {
        "plain.tif": [source, "-of", "GTiff"], "LZW.tif": [source, *tif, "COMPRESS=LZW", "-co", "PREDICTOR=2"],
        "deflate.tif": [source, *tif, "COMPRESS=DEFLATE"], "tiles.tif": [source, *tif, "TILED=YES"],
        "Zstandard.tif": [source, *tif, "COMPRESS=ZSTD"], "LERC.tif": [source, *tif, "COMPRESS=LERC"],
        "WebP within.tif": [source, *tif, "COMPRESS=WEBP"], "big.tif": [source, *tif, "BIGTIFF=YES"],
        "JPEG within.tif": [source, *tif, "COMPRESS=JPEG", "-co", "PHOTOMETRIC=YCBCR", "-co", "JPEG_QUALITY=95"],
        "by planes.tif": [source, *tif, "INTERLEAVE=BAND"], "grey of 16 bits.tif": [deep, "-of", "GTiff"],
        "alpha.tif": [clear, "-of", "GTiff"], "grey.tif": [grey, "-of", "GTiff"],
        "float.tif": [grey, "-of", "GTiff", "-ot", "Float32", "-scale", "0", "255", "0", "1"],
        "for the cloud.tif": [source, "-of", "COG", "-co", "COMPRESS=DEFLATE", "-co", "BLOCKSIZE=128"],
        "plain.jpg": [source, "-of", "JPEG", "-co", "QUALITY=95"],
        "progressive.jpg": [source, "-of", "JPEG", "-co", "QUALITY=95", "-co", "PROGRESSIVE=YES"],
        "plain.png": [source, "-of", "PNG"], "16 bits.png": [deep, "-of", "PNG"], "plain.gif": [grey, "-of", "GIF"],
        "plain.webp": [source, "-of", "WEBP", "-co", "QUALITY=95"],
        "lossless.webp": [clear, "-of", "WEBP", "-co", "LOSSLESS=YES"],
        "plain.jp2": [source, "-of", "JP2OpenJPEG", "-co", "QUALITY=50"],
        "lossless.jp2": [source, "-of", "JP2OpenJPEG", "-co", "QUALITY=100", "-co", "REVERSIBLE=YES"],
        "plain.bmp": [source, "-of", "BMP"], "half.jpg": [source, "-of", "JPEG", "-outsize", "50%", "0"],
        "with a place.tif": [source, "-of", "GTiff", "-a_srs", "EPSG:4326", "-a_ullr", "9", "49", "10", "48"],
    }
    for name, (path, *options) in ways.items():
        tools.run("gdal_translate", "-q", *options, path, pictures.path(name))
    # Smaller copies for quick looks are pages behind the picture.
    tools.run("gdal_translate", "-q", source, pictures.path("with overviews.tif"))
    tools.run("gdaladdo", "-q", "-r", "average", pictures.path("with overviews.tif"), "2", "4")
    for path in pictures.folder.glob("*.aux.xml"):
        path.unlink()

    def decode(path, png):
        tools.run("gdal_translate", "-q", "-of", "PNG", path, png)

    return pictures.facts("GDAL", decode)


def netpbm(tools):
    pictures = Pictures(tools)
    colour, grey = pictures.source("a.ppm"), pictures.source("b.pgm", "L")
    clear = pictures.source("c.png", "RGBA")
    deep = pictures.sources / "deep.pgm"
    tools.run("bash", "-c", f"pamdepth 65535 {grey} >{deep}")
    # Each is a pipe of programs, as people use them.
    ways = {
        "plain.jpg": f"pnmtojpeg -quality=95 {colour}", "grey.jpg": f"pnmtojpeg -quality=95 -grayscale {grey}",
        "progressive.jpg": f"pnmtojpeg -quality=95 -progressive {colour}",
        "arithmetic.jpg": f"pnmtojpeg -quality=95 -arith {colour}",
        "plain.png": f"pnmtopng {colour}", "interlaced.png": f"pnmtopng -interlace {colour}",
        "16 bits.png": f"pnmtopng {deep}", "with a gamma.png": f"pnmtopng -gamma 0.45455 {colour}",
        "palette.png": f"pnmquant 64 {colour} | pnmtopng", "by pamtopng.png": f"pamtopng {colour}",
        "bits.png": f"pamditherbw -threshold {grey} | pnmtopng",
        "plain.gif": f"pnmquant 64 {colour} | ppmtogif",
        "interlaced.gif": f"pnmquant 64 {colour} | ppmtogif -interlace",
        "sorted.gif": f"pnmquant 64 {colour} | pamtogif -sort", "plain.bmp": f"ppmtobmp {colour}",
        "eight bits.bmp": f"pnmquant 64 {colour} | ppmtobmp -bpp=8", "of Windows.bmp": f"ppmtobmp -windows {colour}",
        "plain.jp2": f"pamtojpeg2k -compression 20 {colour}",
        "plain.ppm": f"cat {colour}", "as text.ppm": f"pnmtoplainpnm {colour}",
        "as text.pgm": f"pnmtoplainpnm {grey}",
        "deep.pgm": f"cat {deep}", "bits.pbm": f"pamditherbw -threshold {grey} | pamtopnm",
        "plain.pam": f"pamtopam <{colour}",
        "clear.pam": f"pngtopam -alphapam {clear}", "plain.pfm": f"pamtopfm {colour}",
        "plain.xbm": f"pamditherbw -threshold {grey} | pamtopnm | pbmtoxbm",
        "plain.xpm": f"pnmquant 16 {colour} | ppmtoxpm",
        "plain.tga": f"pamtotga {colour}", "plain.pcx": f"ppmtopcx {colour}",
        "turned.jpg": f"pamflip -r90 {colour} | pnmtojpeg -quality=95", "half.png": f"pamscale 0.5 {colour} | pnmtopng",
        "cut.png": f"pamcut -left 0 -top 0 -width 240 -height 160 {colour} | pnmtopng",
    }
    for name, pipe in ways.items():
        tools.run("bash", "-c", f"set -o pipefail; ({pipe}) >'{pictures.path(name)}'")
    for name, option in (("plain", "none"), ("LZW", "lzw"), ("packed", "packbits"), ("deflate", "flate")):
        path = pictures.path(f"{name}.tif")
        tools.run("bash", "-c", f"pamtotiff -truecolor -{option} -output='{path}' {colour}")
    pictures.expect("turned.jpg", lying)
    return pictures.facts("Pillow", pillow)


def openjpeg(tools):
    pictures = Pictures(tools)
    source, clear = pictures.source("a.png"), pictures.source("b.png", "RGBA")
    deep, grey = pictures.source("c.png", "I;16"), pictures.source("d.png", "L")
    ways = {
        "lossless.jp2": [source], "lossy.jp2": [source, "-r", "12"], "irreversible.jp2": [source, "-I", "-r", "8"],
        "by quality.jp2": [source, "-q", "45"], "tiles.jp2": [source, "-t", "128,128"],
        "uneven tiles.jp2": [source, "-t", "100,90"], "layers.jp2": [source, "-r", "40,20,1"],
        "one resolution.jp2": [source, "-n", "1"], "RLCP.jp2": [source, "-p", "RLCP"],
        "CPRL.jp2": [source, "-p", "CPRL", "-t", "256,256", "-TP", "C"], "grey.jp2": [grey],
        "16 bits.jp2": [deep], "alpha.jp2": [clear], "marks of errors.jp2": [source, "-EPH", "-SOP"],
        "without transform.jp2": [source, "-mct", "0"],
        "a stream.j2k": [source], "a stream.j2c": [source, "-r", "6"],
    }
    for name, (path, *options) in ways.items():
        tools.run("opj_compress", "-i", path, "-o", pictures.path(name), *options)

    def decode(path, png):
        tools.run("opj_decompress", "-i", path, "-o", png)

    return pictures.facts("opj_decompress", decode)


def png_optimizers(tools):
    """Programs that make PNG files smaller."""
    import oxipng

    pictures = Pictures(tools)
    sources = {
        "colours": pictures.source("a.png"), "alpha": pictures.source("b.png", "RGBA"),
        "grey": pictures.source("c.png", "L"), "16 bits": pictures.source("d.png", "I;16"),
        "palette": pictures.source("e.png", "P"), "bits": pictures.source("f.png", "1"),
        "turned": pictures.source("g.png", "RGB", 6),
    }
    for name, source in sources.items():
        made = {word: pictures.path(f"{name} by {word}.png") for word in (
            "optipng", "pngquant", "pngcrush", "zopflipng", "advpng", "oxipng", "oxipng interlaced",
        )}
        tools.run("optipng", "-quiet", "-o1", "-out", made["optipng"], source)
        tools.run("pngquant", "--output", made["pngquant"], "64", source)
        tools.run("pngcrush", "-q", "-l", "3", source, made["pngcrush"])
        tools.run("zopflipng", "-y", "--iterations=1", "--filters=0", source, made["zopflipng"])
        made["advpng"].write_bytes(source.read_bytes())
        tools.run("advpng", "-q", "-z", "-1", made["advpng"])
        oxipng.optimize(source, made["oxipng"], level=1)
        oxipng.optimize(source, made["oxipng interlaced"], level=1, interlace=oxipng.Interlacing.Adam7)
    return pictures.facts("Pillow", pillow)


def libtiff(tools):
    """What tiffcp and its neighbours make of a TIFF."""
    pictures = Pictures(tools)
    source, grey = pictures.source("a.tif"), pictures.source("b.tif", "L")
    ways = {
        "LZW": ["-c", "lzw"], "LZW with differences": ["-c", "lzw:2"], "deflate": ["-c", "zip:2"],
        "packed": ["-c", "packbits"], "JPEG within": ["-c", "jpeg:95", "-r", "16"],
        "JPEG of RGB within": ["-c", "jpeg:r:95", "-r", "16"],
        "LZMA": ["-c", "lzma"], "Zstandard": ["-c", "zstd"], "WebP within": ["-c", "webp:95"],
        "tiles": ["-t", "-w", "64"],
        "by planes": ["-p", "separate"], "big-endian": ["-B"], "little-endian": ["-L"], "big": ["-8"],
        "strips of one row": ["-r", "1"], "filled from the left": ["-f", "lsb2msb"],
    }
    for name, options in ways.items():
        tools.run("tiffcp", *options, source, pictures.path(f"{name}.tif"))
    bits = pictures.source("c.tif", "1")
    for name in ("g3", "g3:2d", "g4"):
        tools.run("tiffcp", "-c", name, bits, pictures.path(f"fax {name.replace(':', ' ')}.tif"))
    tools.run("tiffcp", source, grey, pictures.path("two pages.tif"))
    # 6: the first row is the right side, the first column the top (TIFF 6.0, Orientation).
    for name, value in (("turned", "6"), ("upside down", "3")):
        path = pictures.path(f"{name}.tif")
        tools.run("tiffcp", source, path)
        tools.run("tiffset", "-s", "274", value, path)
    pictures.expect("WebP within.tif", upright)
    tools.run("tiffmedian", source, pictures.path("64 colours.tif"))
    tools.run("tiff2bw", source, pictures.path("of grey.tif"))
    return pictures.facts("Pillow", pillow)


def imagecodecs(tools):
    """Encoders that no other part has: JPEG of other kinds, QOI, JPEG XR, JPEG-LS, Radiance."""
    import imagecodecs
    import numpy

    pictures = Pictures(tools)
    colour, grey = numpy.asarray(of_mode("RGB")), numpy.asarray(of_mode("L"))
    clear, deep = numpy.asarray(of_mode("RGBA")), numpy.asarray(of_mode("L")).astype("uint16") * 257
    made = {
                "twelve bits.jpg": imagecodecs.jpeg8_encode((deep >> 4), level=95, bitspersample=12),
        "lossless.jpg": imagecodecs.jpeg8_encode(grey, lossless=True),
        "restarts.jpg": imagecodecs.jpeg8_encode(colour, level=95, optimize=True),
        "plain.jp2": imagecodecs.jpeg2k_encode(colour, level=0), "deep.jp2": imagecodecs.jpeg2k_encode(deep, level=0),
        "a stream.j2k": imagecodecs.jpeg2k_encode(colour, codecformat="j2k"),
        "plain.jxl": imagecodecs.jpegxl_encode(colour, level=95), "deep.jxl": imagecodecs.jpegxl_encode(deep),
        "float.jxl": imagecodecs.jpegxl_encode((grey / 255).astype("float32")),
        "alpha.jxl": imagecodecs.jpegxl_encode(clear), "plain.jxr": imagecodecs.jpegxr_encode(colour, level=0.95),
        "plain.avif": imagecodecs.avif_encode(colour, level=95, speed=9),
        "alpha.avif": imagecodecs.avif_encode(clear, level=95, speed=9),
        "lossless.avif": imagecodecs.avif_encode(colour, level=100, speed=9),
        "plain.webp": imagecodecs.webp_encode(colour, level=95),
        "lossless.webp": imagecodecs.webp_encode(clear, lossless=True),
        "plain.png": imagecodecs.png_encode(colour), "deep.png": imagecodecs.png_encode(deep),
        "filtered.png": imagecodecs.png_encode(colour, filter=imagecodecs.PNG.FILTER.PAETH),
        "by spng.png": imagecodecs.spng_encode(colour),
        "film.png": imagecodecs.apng_encode(numpy.stack([colour, colour // 2])),
        "film.gif": imagecodecs.gif_encode(numpy.stack([grey, grey // 2])),
        "plain.gif": imagecodecs.gif_encode(grey),
        "plain.bmp": imagecodecs.bmp_encode(colour), "plain.qoi": imagecodecs.qoi_encode(colour),
        "plain.hdr": imagecodecs.rgbe_encode((colour / 255).astype("float32"), header=True),
        "plain.jls": imagecodecs.jpegls_encode(colour),
    }
    for name, bytes in made.items():
        pictures.path(name).write_bytes(bytes)
    # Pillow does not read these kinds.
    for name in ("twelve bits.jpg", "lossless.jpg", "plain.jxr", "plain.hdr", "plain.jls"):
        pictures.expect(name, upright)
    for name in ("deep.jxl", "float.jxl"):
        pictures.expect(name, None)
    for name in ("plain.jxl", "alpha.jxl"):
        pictures.expect(name, lambda path, _: of_mode("RGBA" if "alpha" in path.name else "RGB"))
    return pictures.facts("Pillow", pillow)
