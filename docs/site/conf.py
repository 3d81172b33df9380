"""Sphinx configuration of the site, which `make site` builds from the pages as they are.

The source folder is the repository, so that links between pages work both on the site and in a checkout. The navigation is
the list of links in docs/index.md.
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
    "research/benchmarks/retrieval/README.md",
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

_PAGE = re.compile(r"\]\(([^)#:]+)\.md\)")


def add_navigation(app: Sphinx, name: str, source: list[str]) -> None:
    """Append the table of contents to the index page: one tree of pages for each section that links to pages."""
    if name != root_doc:
        return
    for section in source[0].split("\n## ")[1:]:
        heading, _, text = section.partition("\n")
        if pages := _PAGE.findall(text):
            rows = ["```{toctree}", ":hidden:", f":caption: {heading}", "", *pages, "```"]
            source[0] += "\n" + "\n".join(rows) + "\n"


def setup(app: Sphinx) -> None:
    """Register the hook. Sphinx calls this function."""
    app.connect("source-read", add_navigation)
