"""From the text of a page to HTML."""

import importlib.util
import re
from functools import cached_property
from pathlib import Path

_MARK = re.compile(r"\{\{ *(.*?) *\}\}")


class BadMark(Exception):
    """A mark that means nothing."""


class Renderer:
    def __init__(self, setup):
        self.setup = setup

    @cached_property
    def filters(self):
        found = {}
        for path in sorted(Path("filters").glob("*.py")):
            spec = importlib.util.spec_from_file_location(f"site_filters_{path.stem}", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            for name, value in vars(module).items():
                if callable(value) and not name.startswith("_") and getattr(value, "__module__", "") == module.__name__:
                    found[name] = value
        return found

    def read_part(self, name):
        path = Path("parts", f"{name}.html")
        if not path.exists():
            raise BadMark(f"there is no part {name}")
        return path.read_text(encoding="utf-8").strip()

    def replace(self, match):
        words = match[1]
        if words.startswith("part:"):
            return self.expand(self.read_part(words.removeprefix("part:")))
        words, _, name = words.rpartition("|")
        if name not in self.filters:
            raise BadMark(f"there is no filter {name}")
        return self.filters[name](words)

    def expand(self, text):
        return _MARK.sub(self.replace, text)

    @staticmethod
    def paragraphs(text):
        for block in text.strip().split("\n\n"):
            yield block if block.startswith(("<", "{{ part:")) else f"<p>{block}</p>"

    def render(self, page):
        """The whole file of a page."""
        inner = "\n".join(self.paragraphs(page.body))
        meta = "".join(f'<meta name="{name}" content="{text}">\n' for name, text in self.setup.meta.items())
        return self.expand(
            f'<!doctype html>\n<html lang="{self.setup.language}">\n'
            f'<meta name="edition" content="{self.setup.number}">\n{meta}'
            f"<title>{page.title}</title>\n"
            "{{ part:top }}\n"
            f"<h1>{page.title}</h1>\n"
            f"<p class=date>{{{{ {page.date}|date }}}}</p>\n"
            f"{inner}\n"
            "{{ part:foot }}\n"
        )
