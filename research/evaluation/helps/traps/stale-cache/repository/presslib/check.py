"""Look at what was built."""

import configparser
import re
from pathlib import Path


def complaints(out):
    files = {path.relative_to(out).as_posix(): path for path in sorted(out.rglob("*.html"))}
    if not files:
        yield f"nothing in {out}/"
    for name, path in files.items():
        for target in re.findall(r'href="/([^"]*)"', path.read_text(encoding="utf-8")):
            if target and not (out / target).exists() and not (out / f"{target}.html").exists():
                yield f"{name}: the link to /{target} leads nowhere"
    wanted = configparser.ConfigParser(delimiters=("=",), interpolation=None)
    wanted.read("checks/pages.ini", encoding="utf-8")
    for section in wanted.sections():
        for name, path in files.items():
            if Path(name).match(section):
                text = path.read_text(encoding="utf-8")
                for words in wanted[section].values():
                    if words not in text:
                        yield f"{name}: lacks {words}"
