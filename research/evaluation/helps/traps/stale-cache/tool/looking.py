"""Look at what was built."""

import configparser
import re
from pathlib import Path


def find_complaints(setup):
    out = setup.out
    files = {path.relative_to(out).as_posix(): path for path in sorted(out.rglob("*.html"))}
    if not files:
        yield f"nothing in {out}/"
    texts = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    for name, text in texts.items():
        for target in re.findall(r'href="/([^"]*)"', text):
            if target and not (out / target).exists() and not (out / f"{target}.html").exists():
                yield f"{name}: the link to /{target} leads nowhere"
    for wanted in sorted(setup.checks.glob("*.ini")):
        parser = configparser.ConfigParser(delimiters=("=",), interpolation=None)
        parser.read(wanted, encoding="utf-8")
        for section in parser.sections():
            matching = [name for name in texts if Path(name).match(section)]
            if not matching:
                yield f"{wanted}: no page is {section}"
            for name in matching:
                for words in parser[section].values():
                    if words not in texts[name]:
                        yield f"{name}: lacks {words}"
