"""A library of the site's feeds, and the parts of it that can be compared with another one."""
import contextlib
import hashlib
import json
import pathlib
import sqlite3
import subprocess

from Kills.packs import thumbnail_bytes

from .site import FEEDS


class Library:
    """A library and the program that works on it."""

    def __init__(self, program: str, folder: pathlib.Path, address: str):
        self.program, self.folder = program, folder
        self.feeds = [address + feed for feed in FEEDS]

    def start(self, *arguments: str) -> subprocess.Popen:
        raise NotImplementedError

    def run(self, *arguments: str) -> tuple[int, str]:
        process = self.start(*arguments)
        output, errors = process.communicate(timeout=120)
        return process.returncode, output + errors

    def sync(self) -> tuple[int, str]:
        return self.run("sync", "--originals", *self.feeds)

    def identities(self) -> dict[int, str]:
        """The thumbnail address of each image, by its id."""
        status, output = self.run("list", "--json")
        if "nothing is stored" in output:
            return {}
        assert status == 0, output
        images = [json.loads(line) for line in output.splitlines()]
        return {image["id"]: image["thumbnail"]["url"] for image in images}

    def contents(self) -> dict[str, tuple[str, str]]:
        """The hashes of both pictures of each image, by the address of its original. The original's hash comes
        from the database, because `verify` has compared it with the file."""
        with contextlib.closing(sqlite3.connect(self.folder / "gallery.sqlite")) as database:
            rows = database.execute("""
                SELECT image.original_address, sha256, pack_id, offset, thumbnail.bytes
                FROM image
                JOIN thumbnail ON thumbnail.image_id = image.id
                JOIN image_original ON image_original.image_id = image.id
                JOIN original ON original.id = original_id
            """)
            return {
                name: (hashlib.sha256(thumbnail_bytes(self.folder, *place)).hexdigest(), sha)
                for name, sha, *place in rows
            }

    def check(self, known: dict[int, str]):
        """Checks that everything stored is sound, and that each id still belongs to the same image."""
        status, output = self.run("verify", "--restart")
        assert status == 0, f"verify: {output}"
        identities = self.identities()
        for number, name in known.items():
            assert identities.get(number) == name, f"image {number}: {identities.get(number)}"
        known.update(identities)
