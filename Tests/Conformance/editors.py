"""Programs that edit the metadata of pictures, and what `gallery` then says of these."""

from pictures import Pictures, of_mode, upright

CAMERA = [
    "-Make=Acme", "-Model=Acme X100", "-LensModel=23 mm", "-ExposureTime=1/250", "-FNumber=2.8", "-ISO=400",
    "-FocalLength=23", "-DateTimeOriginal=2026:05:01 08:00:00", "-OffsetTimeOriginal=+02:00",
]
PLACE = [
    "-GPSLatitude=33.8568", "-GPSLatitudeRef=S", "-GPSLongitude=151.2153", "-GPSLongitudeRef=E", "-GPSAltitude=5",
]


def exiftool_edits(tools):
    import pillow_heif

    pillow_heif.register_heif_opener()
    pictures = Pictures(tools)
    small = pictures.sources / "small.jpg"
    of_mode("RGB").resize((120, 80)).save(small)
    # A thumbnail of something else must not be shown instead of the picture.
    false = pictures.sources / "false.jpg"
    of_mode("RGB").rotate(180).resize((120, 80)).save(false)
    edits = {
        "turned": ["-Orientation#=6"], "mirrored": ["-Orientation#=2"], "transposed": ["-Orientation#=5"],
        "upside down": ["-Orientation#=3"], "no orientation": ["-Orientation#=0"], "camera": CAMERA, "place": PLACE,
        "place at zero": ["-GPSLatitude=0", "-GPSLongitude=0", "-GPSLatitudeRef=N", "-GPSLongitudeRef=E"],
        "place without hemispheres": ["-GPSLatitude=48.5", "-GPSLongitude=9.25"],
        "date without zone": ["-DateTimeOriginal=2026:05:01 08:00:00"],
        "date with fractions": ["-DateTimeOriginal=2026:05:01 08:00:00", "-SubSecTimeOriginal=750"],
        "modified only": ["-ModifyDate=2026:05:01 08:00:00"], "digitized only": ["-CreateDate=2026:05:01 08:00:00"],
        "date in XMP": ["-XMP-exif:DateTimeOriginal=2026:05:01 08:00:00+02:00"],
        "year in XMP": ["-XMP-exif:DateTimeOriginal=2026"],
        "created in XMP": ["-XMP-xmp:CreateDate=2026:05:01 08:00:00Z"],
        "dates that differ": [
            "-DateTimeOriginal=2026:05:01 08:00:00", "-XMP-exif:DateTimeOriginal=2025:05:01 08:00:00",
        ],
        "camera in XMP": ["-XMP-tiff:Model=X100", "-XMP-tiff:Make=Acme", "-XMP-aux:Lens=23 mm"],
        "place in XMP": ["-XMP-exif:GPSLatitude=48.5", "-XMP-exif:GPSLongitude=-9.25"],
        "words": [
            "-XMP-dc:Title=Harbour", "-XMP-dc:Description=A boat", "-XMP-dc:Creator=Ada", "-XMP-dc:Rights=CC BY 4.0",
            "-IPTC:Keywords=sea", "-Artist=Ada",
        ],
        "rating": ["-XMP-xmp:Rating=5"], "comment": ["-Comment=A boat"],
        "notes of the maker": ["-UserComment=A boat", "-ImageDescription=A boat"],
    }
    of_jpeg = {
        "thumbnail": [f"-ThumbnailImage<={small}"], "thumbnail of another": [f"-ThumbnailImage<={false}"],
        "turned with a thumbnail": ["-Orientation#=6", f"-ThumbnailImage<={small}"],
        "Photoshop's": [f"-PhotoshopThumbnail<={false}"],
        "IPTC": ["-IPTC:ObjectName=Harbour", "-IPTC:DateCreated=2026:05:01", "-IPTC:TimeCreated=08:00:00+02:00"],
        "place in numbers": ["-GPSPosition=48.5 9.25", "-GPSLatitudeRef=N", "-GPSLongitudeRef=W"],
        "long XMP": [f"-XMP-dc:Description={'A boat. ' * 10_000}", "-XMP-tiff:Model=X100"],
    }
    todo = {f"{name}.jpg": options for name, options in (edits | of_jpeg).items()}
    for suffix in ("png", "webp", "tif", "heic", "avif"):
        for name in ("turned", "camera", "place", "date in XMP", "camera in XMP", "place in XMP", "date without zone"):
            todo[f"{name}.{suffix}"] = edits[name]
    for name in ("camera", "place"):
        # All metadata is taken away again.
        todo[f"cleaned {name}.jpg"] = [*edits[name], "-execute", "-all="]
    run_exiftool(tools, pictures, todo)
    turns = {"turned": 4, "mirrored": 0, "transposed": 5, "upside down": 3}
    for name in pictures.names():
        stem, _, suffix = name.rpartition(".")
        if stem.startswith("turned") and suffix in ("heic", "avif"):
            # The orientation in EXIF does not count in HEIF (ISO/IEC 23008-12, 6.5.10 and annex A).
            pictures.expect(name, upright)
        elif stem in turns:
            pictures.expect(name, turned(turns[stem]))
        else:
            pictures.expect(name, upright if not stem.startswith("turned") else turned(4))
    return pictures.facts("the drawing", upright)


def run_exiftool(tools, pictures, todo):
    """Writes the pictures, and edits them with one run of exiftool, which takes long to start."""
    always = ["-q", "-m", "-overwrite_original"]
    lines = []
    for name, options in todo.items():
        path = pictures.path(name)
        of_mode("RGB").save(path, quality=95)
        for option in options:
            lines += [*always, str(path), "-execute"] if option == "-execute" else [option]
        lines += [*always, str(path), "-execute"]
    tools.run("exiftool", "-@", tools.write("edits", "\n".join(lines)))


def turned(way):
    """What the drawing becomes by one of Pillow's transpositions."""

    def decode(path, _=None):
        return of_mode("RGB").transpose(way)

    return decode
