# SPDX-License-Identifier: MIT
"""The cache of compiled formulas: $TEFF_CACHE, or teff/jit/v1 in $XDG_CACHE_HOME or ~/.cache.

An entry is one file, named by the hash of all that it depends on, with the hash of its content at
its end; it is written beside its place and renamed. Whatever is wrong with the folder (read-only,
full, another user's, on a file system that fails) costs a compilation, not the run: a warning, and a
folder of this process alone.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import tempfile
import time
import warnings

MAGIC = b"teffjit1"
TRAILER = 32 + len(MAGIC)
CAP_BYTES = 10**9
_private = None
_warned = set()


def warn_once(message):
    if message not in _warned:
        _warned.add(message)
        warnings.warn("teff: " + message, RuntimeWarning, stacklevel=2)


def folder():
    """The folder of entries, or None where there is none to use."""
    asked = os.environ.get("TEFF_CACHE")
    if asked is None:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        asked = os.path.join(base, "teff", "jit", "v1")
    if not asked or not os.path.isabs(os.path.expanduser(asked)):
        asked = os.path.abspath(asked) if asked else None
    if asked is None:
        return None
    path = os.path.expanduser(asked)
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
        state = os.stat(path)
        if state.st_uid not in (os.getuid(), 0) or state.st_mode & 0o022:
            warn_once(f"the cache {path} can be written by others, so nothing is taken from it: "
                      f"chmod go-w {path}, or set TEFF_CACHE to a folder of your own")
            return None
        if not os.access(path, os.W_OK | os.X_OK):
            raise PermissionError(13, "it can not be written to", path)
    except OSError as error:
        warn_once(f"the cache {path} can not be used ({error.strerror or error}); formulas are "
                  "compiled anew in each process: set TEFF_CACHE to a folder of your own")
        return None
    return path


def private_folder():
    """A folder of this process alone, removed at its end; a forked child makes its own."""
    global _private
    if _private is None or _private[0] != os.getpid():
        _private = (os.getpid(), tempfile.TemporaryDirectory(prefix="teff-"))
    return _private[1].name


def entry(base, key):
    return os.path.join(base, key[:2], key + ".so")


def is_whole(path):
    """Whether the file is there, and all of it."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError:  # also a stale handle of NFS
        return False
    return (len(content) > TRAILER and content.endswith(MAGIC) and
            hashlib.sha256(content[:-TRAILER]).digest() == content[-TRAILER:-len(MAGIC)])


def seal(path):
    """Writes the content's hash behind it."""
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).digest()
    with open(path, "ab") as file:
        file.write(digest + MAGIC)
        file.flush()
        os.fsync(file.fileno())


def content(path):
    """What an entry holds."""
    with open(path, "rb") as file:
        return file.read()[:-TRAILER]


def touch(path):
    """Marks an entry as used, so that it is not among the first to go."""
    with contextlib.suppress(OSError):
        os.utime(path)


def found(key):
    """The path of a whole entry, or None."""
    base = folder()
    if base is None:
        return None
    path = entry(base, key)
    if is_whole(path):
        touch(path)
        return path
    return None


def made(key, compile_to, limit_s):
    """The path of an entry, which `compile_to(path)` makes if nobody else does meanwhile.

    One process compiles, others wait for it, but never for longer than `limit_s`.
    """
    base = folder()
    if base is not None:
        path = entry(base, key)
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            with _lock(path + ".lock", limit_s, lambda: is_whole(path)):
                if is_whole(path):  # somebody has made it meanwhile
                    return path
                _publish(path, compile_to)
            _trim(base)
            return path
        except OSError as error:
            warn_once(f"the cache {base} could not be written ({error.strerror or error}); the "
                      "formula is compiled for this process alone")
    path = entry(private_folder(), key)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if not is_whole(path):
        _publish(path, compile_to)
    return path


def _publish(path, compile_to):
    temporary = tempfile.mkdtemp(prefix=".making-", dir=os.path.dirname(path))
    try:
        unfinished = os.path.join(temporary, "formula.so")
        compile_to(unfinished)
        seal(unfinished)
        os.replace(unfinished, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@contextlib.contextmanager
def _lock(path, limit_s, is_done):
    """Holds the lock, or goes on without it where that takes too long or can not be."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        yield
        return
    try:
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if is_done():
                    break
                time.sleep(0.05)
            except OSError:  # a file system without locks
                break
        yield
    finally:
        os.close(file)


def _trim(base):
    """Removes what was not used for longest where there is more than a gigabyte, and what processes
    that were killed a day ago have left."""
    with contextlib.suppress(OSError):
        files = []
        for parent, folders, names in os.walk(base):
            for name in folders:
                path = os.path.join(parent, name)
                if name.startswith(".making-") and os.stat(path).st_mtime < time.time() - 86400:
                    shutil.rmtree(path, ignore_errors=True)
            for name in names:
                if name.endswith(".so"):
                    state = os.stat(os.path.join(parent, name))
                    files.append((state.st_mtime, state.st_size, os.path.join(parent, name)))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= CAP_BYTES:
                break
            os.unlink(path)
            total -= size


def other_folder(path):
    """A copy of an entry where code may be executed, for a cache on a `noexec` file system."""
    to = os.path.join(private_folder(), os.path.basename(path))
    shutil.copy(path, to)
    return to


def keep_private():
    """The folder of this process stays, for what a message names in it."""
    private_folder()
    _private[1]._finalizer.detach()
