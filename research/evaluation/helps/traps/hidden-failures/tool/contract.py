"""What was promised: digests of functions and constants."""

import hashlib
import importlib
import inspect
import pkgutil
from pathlib import Path

PACKAGE, FILE = "worklog", Path("contract/worklog.sum")


def _digest(text):
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def find_promises():
    """(name, digest of the name, digest of what it is) of everything public."""
    package = importlib.import_module(PACKAGE)
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{PACKAGE}.{info.name}")
        for name, value in vars(module).items():
            full = f"{module.__name__}.{name}"
            if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_"):
                yield full, _digest(full), _digest(str(inspect.signature(value)))
            elif name.isupper() and not name.startswith("_") and not inspect.ismodule(value):
                yield full, _digest(full), _digest(repr(value))


def _imported(full):
    module, name = full.rsplit(".", 1)
    text = Path(*module.split(".")).with_suffix(".py").read_text(encoding="utf-8")
    return not any(line.startswith(f"{name} =") for line in text.splitlines()) and f"def {name}(" not in text


def own_promises():
    return [found for found in find_promises() if not _imported(found[0])]


def read_file():
    return dict(line.split() for line in FILE.read_text().splitlines()) if FILE.exists() else {}


def record(names):
    known, wanted = read_file(), set(names)
    for full, key, value in own_promises():
        if full in wanted:
            known[key] = value
            wanted.discard(full)
    if wanted:
        print(f"runner: there is no {sorted(wanted)[0]}")
        return 1
    FILE.write_text("".join(f"{key} {value}\n" for key, value in sorted(known.items())))
    return 0
