"""The page: text stays text, nothing is loaded, and it is accessible without sight, colours or a mouse."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from mind_skills.output.document import Document, get_members
from mind_skills.report.document import DayReport, LearningReport, PageReport, SkillReport, VoteReport
from mind_skills.report.gathering import gather_report
from mind_skills.report.page import LEARNINGS_BYTES, draw_bars, draw_curve, list_bins, render_page, sum_bins
from mind_skills.staging.ledger import Ledger
from tests.report.month import BEGIN, DAY, NOW, Month
from tests.testkit.examples import mark_two_thirds
from tests.testkit.hostile.payloads import PAYLOADS

HTML = {
    "script": "</script><script>alert(1)</script>",
    "end of style": "</style><img src=x onerror=alert(1)>",
    "end of title": "</title><svg onload=alert(1)>",
    "double quote": '" onfocus="alert(1)" autofocus="',
    "single quote": "' onfocus='alert(1)' autofocus='",
    "comment": "--><script>alert(1)</script><!--",
    "cdata": "]]><script>alert(1)</script>",
    "template": "{{ 7 * 7 }} {% include 'page.js' %} {# none #}",
    "template in names": "{{ report.__class__.__mro__ }}",
    "entity": "&lt;b&gt; &amp;amp; &#39; &nbsp",
    "address": "javascript:alert(1)",
    "policy": "script-src 'unsafe-inline'; default-src *",
    "frame": "<iframe srcdoc='<script>alert(1)</script>'>",
    "base": "<base href=https://evil.example/>",
    "refresh": '<meta http-equiv="refresh" content="0;url=https://evil.example">',
    "link": "<link rel=stylesheet href=//evil.example/x.css>",
    "half a tag": "<a href=",
    "textarea": "</textarea></select></option><b>",
    "polygon": '"/></svg><script>alert(1)</script>',
    "new lines": "one\n<!doctype html>\n\ntwo",
}
HOSTILE = PAYLOADS | HTML
HARMLESS = "harmless"
FIXED = {"kind", "state", "confidence", "label", "outcome", "verdict", "day"}


class Page(HTMLParser):
    """A parsed page: tags with their attributes, and the texts between them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.stack: list[str] = []
        self.inside: dict[str, list[str]] = {"style": [], "script": []}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.stack and self.stack.pop() != tag:
            pass

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.stack and self.stack[-1] in self.inside:
            self.inside[self.stack[-1]].append(data)
        else:
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def all(self, name: str) -> list[str | None]:
        """The values of an attribute, on whatever tag."""
        return [attributes[name] for _, attributes in self.tags if name in attributes]


def fill(found: Any, text: str, name: str = "") -> Any:
    """The same document with this text in every member that can hold one."""
    if isinstance(found, Document):
        return type(found).from_values(
            {each: fill(getattr(found, each), text, each) for each in get_members(type(found))}
        )
    if isinstance(found, list):
        return [fill(each, text, name) for each in found]
    return text if isinstance(found, str) and name not in FIXED and found else found


@pytest.fixture(scope="module")
def harmless(report: PageReport) -> Page:
    """The page with a harmless text in every field."""
    return Page(render_page(fill(report, HARMLESS)))


@pytest.mark.parametrize("text", mark_two_thirds(zip(HOSTILE.values()), pytest.mark.process), ids=HOSTILE)
def test_hostile_text_in_every_field_stays_text(report: PageReport, harmless: Page, text: str) -> None:
    hostile = Page(render_page(fill(report, text)))
    assert [tag for tag, _ in hostile.tags] == [tag for tag, _ in harmless.tags]
    for (_, one), (_, other) in zip(harmless.tags, hostile.tags, strict=True):
        assert other == {name: value and value.replace(HARMLESS, text) for name, value in one.items()}
    assert "".join(hostile.texts) == "".join(harmless.texts).replace(HARMLESS, text)
    assert hostile.inside == harmless.inside


def test_there_are_sixty_hostile_texts_and_the_page_has_over_sixty_places_for_each(report: PageReport) -> None:
    assert len(HOSTILE) >= 60
    shown = "".join(Page(render_page(fill(report, HARMLESS))).texts)
    assert shown.count(HARMLESS) > 60


def test_the_content_policy_allows_only_our_own_style_and_script_by_hash(report: PageReport) -> None:
    page = Page(render_page(report))
    hashes = {
        name: base64.b64encode(hashlib.sha256("".join(page.inside[name]).encode()).digest()).decode()
        for name in ("style", "script")
    }
    policies = [found["content"] for tag, found in page.tags if found.get("http-equiv") == "Content-Security-Policy"]
    ours = f"style-src 'sha256-{hashes['style']}'; script-src 'sha256-{hashes['script']}'"
    assert policies == [f"default-src 'none'; {ours}; base-uri 'none'; form-action 'none'"]
    tags = [tag for tag, _ in page.tags]
    assert (tags.count("style"), tags.count("script")) == (1, 1)
    # A policy applies only to what follows it, so nothing but the encoding may precede it.
    assert tags[:4] == ["html", "head", "meta", "meta"]


def test_the_page_contains_no_external_address(report: PageReport) -> None:
    page = Page(render_page(report))
    ids = page.all("id")
    assert [each for each in page.all("href") if each is None or each[:1] != "#" or each[1:] not in ids] == []
    loading = ("src", "srcset", "action", "formaction", "data", "poster", "style", "xlink:href", "ping", "background")
    assert [name for name in loading if page.all(name)] == []
    assert [name for _, found in page.tags for name in found if name.startswith("on")] == []
    own = "".join(page.inside["style"] + page.inside["script"])
    assert re.findall(r"https?:|//[a-z]|url\(|@import|fetch\(|XMLHttp|import\(|innerHTML|eval\(", own) == []
    assert "http" not in render_page(fill(report, HARMLESS)).replace("http-equiv", "")


def test_the_page_has_the_landmarks_and_labels_that_a_screen_reader_needs(report: PageReport) -> None:
    page = Page(render_page(report))
    tags = [tag for tag, _ in page.tags]
    assert [tags.count(each) for each in ("header", "nav", "main", "footer", "h1")] == [1, 1, 1, 1, 1]
    ids = page.all("id")
    assert len(ids) == len(set(ids))
    named = [name for value in page.all("aria-labelledby") for name in (value or "").split()] + page.all("for")
    assert [name for name in named if name not in ids] == []
    assert tags.count("caption") == tags.count("table")
    drawn = [found for tag, found in page.tags if tag == "svg"]
    assert all(found.get("aria-hidden") == "true" or found.get("role") == "img" for found in drawn)
    assert tags.count("desc") == sum(found.get("role") == "img" for found in drawn)
    fields = [found["id"] for tag, found in page.tags if tag in ("input", "select")]
    assert sorted(page.all("for"), key=str) == sorted(fields, key=str)
    assert [found.get("scope") for tag, found in page.tags if tag == "th" and "scope" not in found] == []


def test_every_learning_is_shown_with_its_texts_and_rows(report: PageReport) -> None:
    text = "".join(Page(render_page(report)).texts)
    for each in report.learnings:
        for said in (each.title, each.why, each.reason, each.id, *(row.text for row in each.rows)):
            assert said in text


def test_the_page_of_an_empty_ledger_says_that_nothing_was_noticed(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "state") as ledger:
        report = gather_report(ledger, NOW)
    page = Page(render_page(report))
    assert "Nothing was noticed yet." in "".join(page.texts)
    assert [tag for tag, _ in page.tags if tag in ("nav", "table", "svg", "h2")] == []


@pytest.mark.process
@pytest.mark.parametrize("length", [30, 500], ids=["usual", "longest"])
def test_a_year_with_five_thousand_learnings_is_less_than_five_megabytes(report: PageReport, length: int) -> None:
    like, skill = report.learnings[0], report.skills[0]
    learnings = [
        _lengthen(like, length).replace(id=f"sc_{number:08x}", state="dismissed" if number % 5 else "accepted")
        for number in range(5_000)
    ]
    votes = [VoteReport(session=f"session-{n}", at=NOW, outcome="helpful", counts=True) for n in range(300)]
    skills = [skill.replace(candidate=f"sc_{5 * number:08x}", votes=votes) for number in range(1_000)]
    text = render_page(report.replace(learnings=learnings, skills=skills))
    assert len(text.encode()) < 5_000_000
    page = Page(text)
    rows = [found for tag, found in page.tags if tag == "li" and str(found.get("id", "")).startswith("l")]
    assert len(rows) == 5_000
    assert (sum(found.get("class") == "brief" for _, found in page.tags) > 0) == (length == 500)
    assert ("are shown with their files" in "".join(page.texts)) == (length == 500)
    ids = set(page.all("id"))
    assert [each for each in page.all("href") if each and each[1:] not in ids] == []


@pytest.mark.process
def test_learnings_over_the_size_limit_are_omitted_and_counted(report: PageReport) -> None:
    one = report.learnings[0].replace(title="a" * 120)
    learnings = [one.replace(id=f"sc_{number:08x}") for number in range(LEARNINGS_BYTES // 150)]
    page = Page(render_page(report.replace(learnings=learnings)))
    rows = sum(tag == "li" and "data-state" in found for tag, found in page.tags)
    assert f"{len(learnings) - rows:,} older ones are omitted" in "".join(page.texts)
    assert 0 < rows < len(learnings)


def _lengthen(learning: LearningReport, length: int) -> LearningReport:
    text = ("A cause & its 'remedy' " * length)[:length]
    return learning.replace(title=text[:120], rows=[each.replace(text=text) for each in learning.rows])


# -- charts ----------------------------------------------------------------------------------------------------------


def make_day(name: str, noticed: int) -> DayReport:
    return DayReport(day=name, noticed=noticed, handed_over=0, skills=0, used=0, refused=0, tokens=0)


def test_a_year_is_drawn_by_week_and_the_bars_add_up() -> None:
    days = [make_day("2025-12-01", 2), make_day("2025-12-07", 3), make_day("2025-12-08", 5), make_day("2026-11-30", 7)]
    bins = list_bins(days, "", "2026-11-30")
    sums = sum_bins(days, bins, "noticed")
    assert (len(bins), sums[0], sums[1], sums[-1], sum(sums)) == (53, 5, 5, 7, 17)
    assert [each.isoformat() for each in bins[-1]] == ["2026-11-30", "2026-11-30"]
    drawn = draw_bars(bins, sums)
    assert (drawn.days, drawn.maximum, drawn.total, drawn.bars[-1].height) == (7, 7, 17, 100.0)


def test_a_month_is_drawn_by_day_from_the_requested_day_on() -> None:
    bins = list_bins([make_day("2026-11-05", 1)], "2026-11-01", "2026-11-30")
    assert (len(bins), sum_bins([make_day("2026-11-05", 1)], bins, "noticed").index(1)) == (30, 4)


def test_the_uncertainty_band_of_a_skill_widens_while_no_session_uses_it(report: PageReport) -> None:
    (skill,) = [each for each in report.skills if each.curve]
    at_votes = {vote.at for vote in skill.votes if vote.counts}
    last = max(at_votes)
    quiet = [each.high - each.low for each in skill.curve if each.at >= last]
    assert quiet == sorted(quiet)
    assert quiet[-1] > quiet[0]
    assert (skill.curve[-1].share, skill.curve[-1].low) == (skill.share, skill.low)
    curve = draw_curve(skill)
    assert curve is not None
    assert (curve.helpful.count("M"), curve.harmful.count("M")) == (skill.helpful, skill.harmful)


def test_a_skill_without_votes_has_no_curve(report: PageReport) -> None:
    assert [draw_curve(each) for each in report.skills if not each.votes] == [None, None]
    assert isinstance(report.skills[0], SkillReport)


def test_learnings_noticed_in_the_period_are_listed_apart_from_older_ones(month: Month) -> None:
    with Ledger.open(month.home) as ledger:
        page = render_page(gather_report(ledger, NOW, since=BEGIN + 14 * DAY))
        late = render_page(gather_report(ledger, NOW, since=BEGIN + 20 * DAY))
        whole = render_page(gather_report(ledger, NOW))
    begin, end = page.index('<div id="rows">'), page.index("</section>", page.index('<div id="rows">'))
    found = re.findall(r"<h3>(.*?)</h3>|<code>(sc_\w+)</code>", page[begin:end])
    assert ["".join(each) for each in found] == [
        "Noticed in this period",
        "sc_a78d9c3f",
        "Noticed earlier, and changed or used in this period",
        "sc_57a3d03f",
    ]
    assert '<p class="empty">None; the latest learning is from 2026-11-15.</p>' in late
    assert "<h3>Noticed earlier, and waiting</h3>" in late
    assert [text.count("This section covers the whole history, not just this period.") for text in (page, whole)] == [
        2,
        0,
    ]
    assert "<h3>Noticed" not in whole
