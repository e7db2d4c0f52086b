"""What the parts with pictures share: one picture, a folder of files of it, and what `gallery` makes of these.

The picture has four areas of one colour each, which become darker to the top. A part has a program write it in many
ways into the folder. `gallery` syncs the folder, and then a list of the same files over HTTP. Its thumbnails are
compared with what the program's own decoder makes of the files.
"""

import json
import math
import os
import pathlib
import struct
import urllib.parse

# The colours of the four areas, from the upper left to the lower right.
COLOURS = {"red": (200, 40, 40), "green": (40, 160, 60), "blue": (50, 70, 200), "yellow": (230, 200, 60)}
WIDTH, HEIGHT = 480, 320
# Thumbnails are compared in cells, so that the noise of two lossy codings does not count.
CELLS = (12, 8)
# The greatest difference of a channel, of 255.
TOLERANCE = 8
# 2026-07-01T10:00:00Z, the date of files whose picture has none.
DATE, DATE_WORDS = 1_782_900_000, "2026-07-01T10:00:00Z"
# What EXIF's orientation 6 means: the right side of the stored pixels is the lower side of the picture.
ORIENTATION = 0x0112
# The colours of a chart in rows of six, with eight bits of sRGB: those of skin, leaves and skies, the pure ones, greys.
CHART = (
    (115, 82, 68), (194, 150, 130), (98, 122, 157), (87, 108, 67), (133, 128, 177), (103, 189, 170),
    (214, 126, 44), (80, 91, 166), (193, 90, 99), (94, 60, 108), (157, 188, 64), (224, 163, 46),
    (56, 61, 150), (70, 148, 73), (175, 54, 60), (231, 199, 31), (187, 86, 149), (8, 133, 161),
    (220, 30, 30), (30, 180, 40), (30, 40, 220), (243, 243, 243), (128, 128, 128), (30, 30, 30),
)
# The pixels of a side of a field of a chart.
FIELD = 40
# The greatest ΔE2000 of all fields on average, and of one.
MEAN_ERROR, ERROR = 2.0, 6.0
DETAILS = ("camera", "lens", "exposure", "aperture", "iso", "focalLength", "taken")


class Pictures:
    """The folder of the pictures of one part, and what gallery makes of them."""

    def __init__(self, tools):
        self.tools, self.folder, self.references = tools, tools.site / "pictures", {}
        self.folder.mkdir()
        self.sources = tools.folder / "sources"
        self.sources.mkdir()

    def source(self, name, mode="RGB", turned=0, **options):
        """Draws the picture into a file in the way that a program reads it, and returns the path.

        `turned` is the orientation in EXIF; the pixels lie so that the picture is upright for a reader that minds it.
        """
        from PIL import Image

        image = of_mode(mode)
        if turned == 6:
            image = image.transpose(Image.Transpose.ROTATE_90)
        if turned:
            options["exif"] = Image.Exif()
            options["exif"][ORIENTATION] = turned
        path = self.sources / name
        image.save(path, **options)
        return path

    def frames(self, pattern):
        """Three different frames as files; returns their paths."""
        from PIL import ImageEnhance

        paths = []
        for number in range(3):
            path = self.sources / (pattern % number)
            image = ImageEnhance.Brightness(drawing()).enhance(1 - number / 4)
            # A bar moves, so that no two frames are alike.
            image.paste((0, 0, 0), (number * 60, 150, number * 60 + 60, 170))
            image.save(path)
            paths.append(path)
        return paths

    def path(self, name):
        return self.folder / name

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def expect(self, name, reference):
        """What the picture looks like for a decoder that is not the part's own one."""
        self.references[name] = reference

    def facts(self, decoder, decode):
        """What gallery makes of the pictures, compared with what a decoder makes of them.

        `decode` gets a file and the path of a PNG that it may write, and returns an image, or None for that PNG.
        """
        tools = self.tools
        names = self.names()
        for name in names:
            os.utime(self.path(name), (DATE, DATE))
        folder, over_http = tools.folder / "of-folder", tools.folder / "over-http"
        tools.gallery("sync", "--quiet", "--cache", folder, self.folder, accept=(0, 2))
        entries = [{"id": name, "title": name, "original": f"pictures/{name}"} for name in names]
        tools.write("site/list.json", json.dumps({"images": entries}))
        tools.gallery(
            "sync", "--quiet", "--cache", over_http, f"{tools.address}/list.json", "--originals", accept=(0, 2)
        )
        here, there = self.images(folder), self.images(over_http)
        thumbnails = self.thumbnails(folder, [image["id"] for image in here.values() if image["thumbnail"]])
        for name in names:
            reference = self.references.get(name, decode)
            words = "Pillow" if reference is pillow else decoder if reference is decode else "the drawing"
            yield f"[{name}]"
            if name not in here:
                yield "  not taken for a picture"
                continue
            yield from self.picture(here[name], thumbnails.get(here[name]["id"]), words, reference)
        unlike = [name for name in names if seen(here.get(name)) != seen(there.get(name))]
        yield "[over HTTP]"
        yield f"unlike in the folder: {', '.join(unlike) or 'none'}"

    def images(self, library):
        """The images of a library, by the names of their files."""
        tools = self.tools
        listed = tools.gallery("list", "--cache", library, "--json")
        ids = [str(json.loads(line)["id"]) for line in listed.splitlines()]
        shown = tools.gallery("show", "--cache", library, "--info", "--json", *ids)
        images = [json.loads(line) for line in shown.splitlines()]
        return {urllib.parse.unquote(image["originalURL"].rpartition("/")[2]): image for image in images}

    def thumbnails(self, library, ids):
        """The files of thumbnails, by the numbers of their images."""
        drawn = self.tools.folder / "thumbnails"
        drawn.mkdir()
        words = [str(number) for number in ids]
        self.tools.gallery("show", "--cache", library, "--thumbnail", "--output", drawn, *words)
        # A name ends with the number in brackets.
        return {int(path.stem.rpartition("[")[2].rstrip("]")): path for path in drawn.iterdir()}

    def picture(self, image, thumbnail, decoder, decode):
        from PIL import Image

        original = image["original"]
        yield f"  {original['type']}, " + size(original["width"], original["height"])
        for name, value in (image.get("details") or {}).items():
            if value is not None and name in DETAILS:
                yield f"  {name} {value}"
        if place := (image.get("details") or {}).get("place"):
            yield f"  place {place['latitude']:.4f} {place['longitude']:.4f}"
        if image["published"] != DATE_WORDS:
            yield f"  date {image['published']}"
        for name in ("title", "caption", "author", "licence"):
            if image[name] and image[name] != pathlib.Path(original["file"]).stem:
                yield f"  {name} {image[name]}"
        if not thumbnail:
            yield f"  no thumbnail: {'; '.join(failure['reason'] for failure in image['failures'])}"
            return
        with Image.open(thumbnail) as drawn:
            drawn = drawn.convert("RGBA")
        yield f"  thumbnail {size(*drawn.size)}, {corners(drawn)}"
        if decode:
            yield f"  {self.compared(drawn, decoder, decode, pathlib.Path(original['file']))}"

    def compared(self, drawn, decoder, decode, path):
        from PIL import Image

        png = self.tools.folder / "decoded.png"
        png.unlink(missing_ok=True)
        expected = decode(path, png)
        if expected is None:
            expected = Image.open(png)
        if "I;16" in expected.mode or expected.mode == "I":
            expected = expected.point(lambda value: value / 257).convert("L")
        expected = expected.convert("RGBA")
        if expected.width * drawn.height != expected.height * drawn.width:
            return f"{decoder}: another shape, {size(*expected.size)}"
        one, other = (cells(image) for image in (drawn, expected))
        worst = max(range(len(one)), key=lambda index: distance(one[index], other[index]))
        if distance(one[worst], other[worst]) <= TOLERANCE:
            return f"as {decoder} has it"
        return f"unlike {decoder}: {one[worst]}, there {other[worst]}"


def drawing():
    """The picture, upright."""
    from PIL import Image, ImageChops

    image = Image.new("RGB", (WIDTH, HEIGHT))
    for index, colour in enumerate(COLOURS.values()):
        left, top = index % 2 * WIDTH // 2, index // 2 * HEIGHT // 2
        image.paste(colour, (left, top, left + WIDTH // 2, top + HEIGHT // 2))
    shade = Image.linear_gradient("L").resize(image.size).point(lambda value: 205 + value // 5)
    return ImageChops.multiply(image, Image.merge("RGB", [shade] * 3))


def of_mode(mode):
    """The picture in a mode of Pillow. With alpha, the lower right area is half transparent."""
    from PIL import Image

    image = drawing()
    if mode in ("RGBA", "LA"):
        alpha = Image.new("L", image.size, 255)
        alpha.paste(128, (WIDTH // 2, HEIGHT // 2, WIDTH, HEIGHT))
        image = image.convert("L" if mode == "LA" else "RGB")
        image.putalpha(alpha)
    elif mode == "I;16":
        grey = image.convert("L")
        image = Image.frombytes("I;16", grey.size, bytes(value for value in grey.tobytes() for _ in range(2)))
    elif mode != "RGB":
        image = image.convert(mode)
    return image


def size(width, height):
    return f"{width} × {height}" if width else "of unknown size"


def cells(image):
    """The mean colours of the cells of a picture, without what is hidden behind transparency."""
    columns, rows = CELLS if image.width >= image.height else CELLS[::-1]
    small = image.convert("RGBa").resize((columns, rows), 4).convert("RGBA")
    return [pixel if pixel[3] else (0, 0, 0, 0) for pixel in small.getdata()]


def distance(one, other):
    return max(abs(first - second) for first, second in zip(one, other))


def corners(image):
    """The names of the colours of the four areas, from the upper left to the lower right."""
    words = []
    for row in (1, 3):
        for column in (1, 3):
            *colour, alpha = image.getpixel((image.width * column // 4, image.height * row // 4))
            if alpha < 16:
                words.append("nothing")
                continue
            if max(colour) - min(colour) <= 12:
                word = "grey" if max(colour) < 245 else "white"
            else:
                word = min(COLOURS, key=lambda name: sum((a - b) ** 2 for a, b in zip(colour, COLOURS[name])))
            words.append(f"{'half ' if alpha < 240 else ''}{word}")
    return f"{words[0]} {words[1]} / {words[2]} {words[3]}"


def linear(colour):
    """The light of a colour of sRGB with eight bits (IEC 61966-2-1)."""
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (c / 255 for c in colour)]


def multiplied(matrix, numbers):
    return [sum(factor * number for factor, number in zip(row, numbers)) for row in matrix]


def lab(colour):
    """A colour of sRGB with eight bits in CIE L*a*b*, with the white D65."""
    light = multiplied(
        ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041)),
        linear(colour),
    )
    shares = (part / white for part, white in zip(light, (0.95047, 1, 1.08883)))
    x, y, z = (s ** (1 / 3) if s > 216 / 24_389 else (24_389 / 27 * s + 16) / 116 for s in shares)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one, other):
    """ΔE2000 of two colours in L*a*b* (Sharma, Wu, Dalal: The CIEDE2000 Color-Difference Formula, 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    seventh = ((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2) ** 7
    grey = 1.5 - math.sqrt(seventh / (seventh + 25**7)) / 2
    a1, a2 = a1 * grey, a2 * grey
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn, hue = h2 - h1, h1 + h2
    if c1 * c2 == 0:
        turn = 0
    else:
        hue /= 2
        if abs(turn) > 180:
            turn += 360 if turn < 0 else -360
            hue += 180 if hue < 180 else -180
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    weight = 1 + sum(
        factor * math.cos(math.radians(times * hue + start))
        for factor, times, start in ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    )
    far = (lightness - 50) ** 2
    by_lightness = (l2 - l1) / (1 + 0.015 * far / math.sqrt(20 + far))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    blue = math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2)))
    rotation = -2 * math.sqrt(chroma**7 / (chroma**7 + 25**7)) * math.sin(blue)
    return math.sqrt(by_lightness**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue)


# Of the pairs in table 1 of that paper, those that find the usual mistakes: two colours in L*a*b*, and their ΔE2000.
PUBLISHED = (
    ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425), ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0000),
    ((50, 0, 0), (50, -1, 2), 2.3669), ((50, 2.49, -0.001), (50, -2.49, 0.001), 7.1792),
    ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195), ((50, -0.001, 2.49), (50, 0.0011, -2.49), 4.7461),
    ((50, 2.5, 0), (50, 0, -2.5), 4.3065), ((50, 2.5, 0), (73, 25, -18), 27.1492),
    ((50, 2.5, 0), (61, -5, 29), 22.8977), ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((90.9257, -0.5406, -0.9208), (88.6381, -0.8985, -0.7239), 1.5381),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
)


def chart(encoded=None):
    """The chart as a picture of eight bits; with `encoded`, which makes three shares of a colour, as PPM of 16 bits."""
    from PIL import Image

    image = Image.new("RGB", (6 * FIELD, 4 * FIELD))
    rows = []
    for start in range(0, len(CHART), 6):
        row = b""
        for column, colour in enumerate(CHART[start : start + 6]):
            left, top = column * FIELD, start // 6 * FIELD
            image.paste(colour, (left, top, left + FIELD, top + FIELD))
            if encoded:
                row += b"".join(round(65_535 * share).to_bytes(2) for share in encoded(colour)) * FIELD
        rows += [row] * FIELD
    return b"P6 %d %d 65535\n" % image.size + b"".join(rows) if encoded else image


def fractions():
    """The linear light of the chart as PFM, whose rows go upwards."""
    rows = []
    for start in range(0, len(CHART), 6):
        row = b"".join(struct.pack("<3f", *linear(colour)) * FIELD for colour in CHART[start : start + 6])
        rows = [row] * FIELD + rows
    return b"PF\n%d %d\n-1.0\n" % (6 * FIELD, 4 * FIELD) + b"".join(rows)


def errors(image, expected=CHART):
    """The ΔE2000 of the fields of a chart, without their edges, which lossy coding blurs."""
    for number, colour in enumerate(expected):
        left, top = number % 6 * FIELD + FIELD // 4, number // 6 * FIELD + FIELD // 4
        field = image.crop((left, top, left + FIELD // 2, top + FIELD // 2)).resize((1, 1), 4)
        yield difference(lab(field.getpixel((0, 0))), lab(colour))


def seen(image):
    """What must be equal for a file in a folder and over HTTP."""
    if not image:
        return None
    original, thumbnail = image["original"] or {}, image["thumbnail"] or {}
    return (
        [original.get(name) for name in ("sha256", "type", "width", "height")],
        [thumbnail.get(name) for name in ("sha256", "width", "height")], image.get("details"),
    )


def pillow(path, _=None):
    """The picture as Pillow has it, upright."""
    from PIL import Image, ImageOps

    with Image.open(path) as image:
        image.load()
        return ImageOps.exif_transpose(image)


def upright(path, _=None):
    """The picture that was meant, for programs that ignore what turns it."""
    return drawing()


def quarter(path, _=None):
    """The upper left area."""
    return drawing().crop((0, 0, WIDTH // 2, HEIGHT // 2))


def lying(path, _=None):
    """The pixels as they lie in a file whose orientation does not count."""
    from PIL import Image

    return drawing().transpose(Image.Transpose.ROTATE_90)


XMP = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
  exif:DateTimeOriginal="2026-05-01T08:00:00+02:00" tiff:Model="X100" exif:GPSLatitude="48,30.0N"
  exif:GPSLongitude="9,15.0E"/></rdf:RDF></x:xmpmeta>"""


def gif_film(frames, path):
    from PIL import Image

    first, *others = [Image.open(frame).quantize(64) for frame in frames]
    first.save(path, save_all=True, append_images=others, duration=100, loop=0)


def in_p3(pictures):
    """The picture in the colours of Display P3, with their profile."""
    path = pictures.sources / "p3.png"
    source = pictures.source("srgb.png")
    pictures.tools.run("vips", "icc_transform", source, path, "p3", "--input-profile", "srgb")
    return path


def deep(pictures):
    """The picture with 16 bits a channel."""
    path = pictures.sources / "deep.png"
    pictures.tools.run("vips", "colourspace", pictures.source("shallow.png"), path, "rgb16")
    return path


def square(pictures):
    path = pictures.sources / "square.png"
    drawing().resize((333, 333)).save(path)
    return path
