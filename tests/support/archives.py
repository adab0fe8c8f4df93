"""Archives of recorded runs: they hold neither names of users nor times."""
import contextlib
import io
import lzma
import pathlib
import tarfile
import tempfile


def nameless(entry):
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


def pack(target, paths, texts=None):
    """Files and folders by their last names; texts: {name: content}."""
    with lzma.open(target, "wb", preset=9 | lzma.PRESET_EXTREME) as packed, \
            tarfile.open(fileobj=packed, mode="w") as archive:
        for path in paths:
            archive.add(path, path.name, filter=nameless)
        for name, text in (texts or {}).items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))


@contextlib.contextmanager
def unpacked(archive):
    """A folder with what it holds, for a while."""
    with tempfile.TemporaryDirectory() as scratch:
        with tarfile.open(archive) as packed:
            packed.extractall(scratch, filter="data")
        yield pathlib.Path(scratch)
