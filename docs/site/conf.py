"""The site, built by Sphinx from the pages as they are: `make site`.

The source folder is the repository, so that a link from one page to another is the same on the site and in a checkout. The
navigation is the list of links in docs/index.md.
"""

from __future__ import annotations

import re

from sphinx.application import Sphinx

from mind_skills.plugin import VERSION

project = "mind-skills"
project_copyright = "mind-skills contributors"
release = VERSION
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "benchmarks/retrieval/README.md",
]
exclude_patterns = [".*", "build", "node_modules"]
myst_heading_anchors = 4
nitpicky = True
html_theme = "furo"
html_title = "mind-skills"
html_show_sphinx = False
html_copy_source = False
html_additional_pages = {"index": "redirect.html"}
templates_path = ["templates"]
pygments_style = "friendly"
pygments_dark_style = "github-dark"

_SECTION = re.compile(r"^## (.+)$|\]\(([^)#:]+)\.md\)", re.MULTILINE)


def add_navigation(app: Sphinx, name: str, source: list[str]) -> None:
    """Append the table of contents to the index: one tree for each of its sections, of the pages that the section links to."""
    if name != root_doc:
        return
    for heading, page in _SECTION.findall(source[0]):
        source[0] += f"\n{page}" if page else f"\n```\n\n```{{toctree}}\n:hidden:\n:caption: {heading}\n"
    source[0] = source[0].replace("\n```\n\n```{toctree}", "\n\n```{toctree}", 1) + "\n```\n"


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", add_navigation)
