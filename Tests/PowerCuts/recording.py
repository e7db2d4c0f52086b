"""The file operations of a program in a folder, and the states that a power cut may leave.

record.c records all calls in order. A disk guarantees little of that order: the content of a file survives
if the file was synced later, and a name if its folder was. Everything else may be lost. Each write can
survive alone or in part. Names survive in the order in which their folder got them.
"""
import dataclasses
import os
import pathlib
import random
import struct

# kind, file, folder, other folder, offset, length, length of the name (struct record in record.c).
HEADER = struct.Struct("<cQQQQQQ")
ATTRIBUTE = "user.gallery.origin"
ENDS = ("none", "all", "prefix", "torn", "zeros")


@dataclasses.dataclass
class Call:
    """One call. `file` and the folders are numbers that this recording assigns and never reuses."""
    kind: str
    file: int = 0
    folders: tuple[int, ...] = ()
    offset: int = 0
    length: int = 0
    names: tuple[str, ...] = ()
    data: bytes = b""


class Content:
    """The content and attribute of a file."""

    def __init__(self, data: bytes = b"", attribute: bytes | None = None):
        self.data, self.attribute = bytearray(data), attribute

    def copy(self) -> "Content":
        return Content(self.data, self.attribute)

    def apply(self, call: Call):
        match call.kind:
            case "w":
                self._reach(call.offset)
                self.data[call.offset:call.offset + len(call.data)] = call.data
            case "t":
                del self.data[call.offset:]
                self._reach(call.offset)
            case "p":
                end = min(call.offset + call.length, len(self.data))
                self.data[call.offset:end] = bytes(max(0, end - call.offset))
            case "e":
                self._reach(call.offset + call.length)
            case "a":
                self.attribute = call.data

    def apply_part(self, call: Call, sector: int, chance: random.Random):
        """Applies random sectors of a write. Zeros fill a gap after the old end of the file."""
        if call.kind != "w":
            return self.apply(call) if chance.random() < 0.5 else None
        start = call.offset
        while start < call.offset + len(call.data):
            end = min((start // sector + 1) * sector, call.offset + len(call.data))
            if chance.random() < 0.5:
                piece = call.data[start - call.offset:end - call.offset]
                self.apply(Call("w", offset=start, data=piece))
            start = end

    def _reach(self, length: int):
        if len(self.data) < length:
            self.data.extend(bytes(length - len(self.data)))


class Recording:
    """The state of a folder before a program ran, and the calls of the program."""

    def __init__(self, before: pathlib.Path):
        self._numbers: dict[int, int] = {}
        self._count = 0
        self._files: dict[int, Content] = {}
        self._entries: dict[int, dict[str, int]] = {}
        self._root = self._load(before)
        self.calls: list[Call] = []

    def _load(self, path: pathlib.Path) -> int:
        number = self._number(path.stat().st_ino)
        if path.is_dir():
            self._entries[number] = {
                child.name: self._load(child) for child in sorted(path.iterdir())
            }
        else:
            try:
                attribute = os.getxattr(path, ATTRIBUTE)
            except OSError:
                attribute = None
            self._files[number] = Content(path.read_bytes(), attribute)
        return number

    def _number(self, inode: int, is_new: bool = True) -> int:
        """Returns the number of an inode. A new file gets a new number, because the system may reuse inodes."""
        if is_new:
            self._count += 1
            self._numbers[inode] = self._count
        return self._numbers.get(inode, 0)

    def read(self, path: pathlib.Path):
        """Reads the calls of the program from the log."""
        log, place = path.read_bytes(), 0
        while place < len(log):
            kind, file, folder, other, offset, length, name = HEADER.unpack_from(log, place)
            kind = kind.decode()
            place += HEADER.size
            names = log[place:place + name].decode().split("/")
            place += name
            has_data = kind in "wa"
            data = log[place:place + length] if has_data else b""
            place += len(data)
            number = self._number(file, is_new=kind in "cm")
            if kind == "c":
                self._files[number] = Content()
            if kind == "m":
                self._entries[number] = {}
            folders = (self._numbers.get(folder, 0),)
            if kind in "rl":
                folders = (*folders, self._numbers.get(other, 0))
            if kind in "wtpeas" and number == 0:
                # A socket, or another file that reused the descriptor of a recorded file.
                continue
            self.calls.append(Call(kind, number, folders, offset, length, tuple(names), data))

    def lay_out(self, end: int, ends: str | None, chance: random.Random, target: pathlib.Path):
        """Writes a state of the folder that a power cut may leave.

        `end` is the number of calls before the power cut. `ends` is the fate of unsynced data in all files and
        folders. With None, each gets a random one.
        """
        calls = self.calls[:end]
        entries = {number: dict(names) for number, names in self._entries.items()}
        for index in self._names_kept(calls, ends, chance):
            self._apply_name(calls[index], entries)
        contents = self._contents(calls, ends, chance)
        self._write(self._root, entries, contents, target)

    def _names_kept(self, calls, ends, chance) -> list[int]:
        """Returns the calls whose names reached the disk: those before the last sync of one of their folders,
        all earlier calls in the same folders, and the first of the remaining calls of each folder."""
        needed: dict[int, int] = {}
        everything = self._last_sync_of_all(calls)
        for index, call in enumerate(calls):
            if call.kind == "s":
                needed[call.file] = index
        names = [index for index, call in enumerate(calls) if call.kind in "cmurl"]
        forced = set()
        for index in reversed(names):
            folders = calls[index].folders
            if any(index < max(needed.get(folder, 0), everything) for folder in folders):
                forced.add(index)
                for folder in folders:
                    needed[folder] = max(needed.get(folder, 0), index + 1)
        kept, broken, limits = [], set(), {}
        for index in names:
            folders = calls[index].folders
            for folder in folders:
                if folder not in limits:
                    limits[folder] = self._limit(len(calls), ends, chance)
            if index in forced or not (broken & set(folders)
                                       or any(index >= limits[folder] for folder in folders)):
                kept.append(index)
            else:
                broken.update(folders)
        return kept

    @staticmethod
    def _last_sync_of_all(calls) -> int:
        """The index of the last call that flushed the whole disk; 0 without one."""
        return max((index for index, call in enumerate(calls) if call.kind == "y"), default=0)

    @staticmethod
    def _limit(count: int, ends: str | None, chance: random.Random) -> int:
        if ends is None:
            return chance.choice((0, chance.randint(0, count), count))
        return 0 if ends == "none" else count

    @staticmethod
    def _apply_name(call: Call, entries: dict[int, dict[str, int]]):
        names = [entries[folder] for folder in call.folders]
        match call.kind:
            case "c" | "m":
                names[0][call.names[0]] = call.file
            case "u":
                names[0].pop(call.names[0], None)
            case "r" | "l":
                file = names[0].get(call.names[0], 0)
                if call.kind == "r":
                    names[0].pop(call.names[0], None)
                if file:
                    names[1][call.names[1]] = file

    def _contents(self, calls, ends, chance) -> dict[int, Content]:
        synced = {call.file: index for index, call in enumerate(calls) if call.kind == "s"}
        everything = self._last_sync_of_all(calls)
        contents = {number: content.copy() for number, content in self._files.items()}
        rest: dict[int, list[Call]] = {}
        for index, call in enumerate(calls):
            if call.kind not in "wtpea" or call.file not in contents:
                continue
            if index < max(synced.get(call.file, 0), everything):
                contents[call.file].apply(call)
            else:
                rest.setdefault(call.file, []).append(call)
        for number, unsynced in rest.items():
            end = ends or chance.choice(ENDS)
            self._apply_unsynced(contents[number], unsynced, end, chance)
        return contents

    @staticmethod
    def _apply_unsynced(content: Content, calls: list[Call], end: str, chance: random.Random):
        match end:
            case "all":
                for call in calls:
                    content.apply(call)
            case "prefix":
                count = chance.randint(0, len(calls))
                for call in calls[:count]:
                    content.apply(call)
                for call in calls[count:count + 1]:
                    content.apply_part(call, 512, chance)
            case "torn":
                sector = chance.choice((512, 4_096))
                for call in calls:
                    content.apply_part(call, sector, chance)
            case "zeros":
                # The new length reached the disk, but the data after the old end did not.
                whole = content.copy()
                for call in calls:
                    whole.apply(call)
                length = len(content.data)
                if len(whole.data) > length:
                    content.data.extend(bytes(len(whole.data) - length))

    def _write(self, folder: int, entries, contents, target: pathlib.Path):
        target.mkdir()
        for name, number in entries[folder].items():
            path = target / name
            if number in entries:
                self._write(number, entries, contents, path)
            elif number in contents:
                path.write_bytes(contents[number].data)
                path.chmod(0o600)
                if contents[number].attribute is not None:
                    try:
                        os.setxattr(path, ATTRIBUTE, contents[number].attribute)
                    except OSError:
                        pass
