"""What the parts with pictures share: one picture, a folder of files of it, and what `gallery` makes of these.

The picture has four areas of one colour each, which become darker to the top. A part has a program write it in many
ways into the folder. `gallery` syncs the folder, and then a list of the same files over HTTP. Its thumbnails are
compared with what the program's own decoder makes of the files.
"""

import json
import os
import pathlib
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
