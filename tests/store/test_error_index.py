"""Keys of error lines, and the file in which a hook looks them up."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from mind_skills.store.error_index import (
    EPISODE,
    MAX_EDGE,
    MUTED,
    SKILL,
    Entry,
    ErrorIndex,
    Record,
    build_index,
    build_key,
    build_place_key,
    digest_codes,
    list_command_words,
    list_keys,
)

FACTS = "pytest test_invoice.py, passes after a change in invoice.py"


def describe(record: Record) -> tuple[str, ...]:
    return tuple(getattr(record, name) for name in Record.__slots__)


def make_entry(number: int, record: Record) -> Entry:
    return Entry(random.Random(number).randbytes(8), number.to_bytes(4, "big"), b"abcd", record)


@pytest.mark.parametrize("count", [1, 2, 3, 1_000, 100_000])
def test_every_error_is_found_with_its_record_and_no_other_is(tmp_path: Path, count: int) -> None:
    records = [Record(EPISODE, f"sc_{n:08x}", "pytest", "2026-11-02", "540", FACTS) for n in range(count)]
    records[0] = Record(SKILL, "dependency-groups", "pytest")
    path = tmp_path / "index"
    path.write_bytes(build_index([make_entry(n, record) for n, record in enumerate(records)], "/opt/mind-skills"))
    assert path.stat().st_size <= 10_000_000
    index = ErrorIndex(str(path))
    for number in random.Random(1).sample(range(count), min(count, 2_000)):
        ((codes, session, offset),) = index.find(random.Random(number).randbytes(8))
        found = (codes, session, describe(index.read_record(offset)))
        assert found == (number.to_bytes(4, "big"), b"abcd", describe(records[number]))
    assert not any(index.find(random.Random(10_000_000 + n).randbytes(8)) for n in range(2_000))
    assert index.read_command() == "/opt/mind-skills"
    index.close()


def test_several_sessions_that_solved_an_error_are_found_in_their_order(tmp_path: Path) -> None:
    records = [Record(EPISODE, name, "make", "2026-11-02", "90", "make, passes after make setup") for name in "cab"]
    (tmp_path / "index").write_bytes(build_index([Entry(b"8 bytes.", b"code", b"from", each) for each in records], "x"))
    index = ErrorIndex(str(tmp_path / "index"))
    assert [index.read_record(offset).name for _, _, offset in index.find(b"8 bytes.")] == ["c", "a", "b"]
    index.close()


def test_a_muted_entry_is_marked_and_has_its_record(tmp_path: Path) -> None:
    record = Record(SKILL, "dependency-groups", "pytest")
    entries = [Entry(bytes([n] * 8), b"code", b"from", record, is_muted=n == 1) for n in range(2)]
    (tmp_path / "index").write_bytes(build_index(entries, "x"))
    index = ErrorIndex(str(tmp_path / "index"))
    offsets = [offset for n in range(2) for _, _, offset in index.find(bytes([n] * 8))]
    assert [bool(offset & MUTED) for offset in offsets] == [False, True]
    assert [index.read_record(offset).name for offset in offsets] == ["dependency-groups"] * 2
    index.close()


def test_a_file_of_another_format_is_refused_and_a_damaged_one_names_nothing(tmp_path: Path) -> None:
    path = tmp_path / "index"
    for content in (b"", b"MSE1", b"x" * 400):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="not a file of solved errors"):
            ErrorIndex(str(path))
    whole = build_index([make_entry(1, Record(EPISODE, "sc_1", "make", "2026-11-02", "90", "make"))], "x")
    path.write_bytes(whole[: len(whole) - 20])
    index = ErrorIndex(str(path))
    ((_, _, offset),) = index.find(random.Random(1).randbytes(8))
    with pytest.raises(ValueError, match="damaged"):
        index.read_record(offset)
    index.close()


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Error: cannot lock the ledger of /home/dev/shop/a1.db", "Error: cannot lock the ledger of /srv/b2.db", True),
        ("\x1b[31mError\x1b[0m: cannot lock the ledger (3 s)", "Error: cannot lock the ledger (42 s)", True),
        ("E   Error: cannot lock the ledger", "Error: cannot lock the ledger", True),
        ("Error: cannot lock the ledger", "Error: cannot lock the invoice", False),
        ("Error: cannot lock the ledger", "Error: ledger cannot lock the", False),
        ("Error: the ledger of the caf\u00e9 is locked", "Error: the ledger of the caf\u00e9 is locked", True),
    ],
)
def test_the_words_of_a_line_are_its_key(one: str, other: str, is_same: bool) -> None:
    assert (build_key(one) == build_key(other)) is is_same


def test_a_line_without_enough_words_has_no_key() -> None:
    assert [build_key(line) for line in ("", "exit code 1", "Error: Error: Error", "=" * 80, "a b c d e")] == [b""] * 5
    assert build_key("x" * 236 + " a word") == b""  # cut off


def test_codes_statuses_and_versions_tell_errors_apart() -> None:
    lines = (
        "TS5083 at 3:1",
        "TS6053 at 3:1",
        "status 404",
        "status 503",
        "python 3.11",
        "python 3.13",
        "v 1.2.3",
        "v 1.2.4",
    )
    assert len({digest_codes(line) for line in lines}) == len(lines)
    assert digest_codes("line 3 of 40, took 1.25 s") == digest_codes("line 9 of 77, took 0.5 s")


@pytest.mark.parametrize(
    ("command", "line", "is_same"),
    [
        ("git add src/b.rs c.rs", "fatal: pathspec 'src/b.rs' did not match any files", True),
        ("git add .", "fatal: pathspec 'src/b.rs' did not match any files", False),
        ("git add src/b.rs", "fatal: pathspec 'src/b.rs' is beyond a symbolic link", False),
        ("git add src", "fatal: pathspec 'src' did not match any files", False),
    ],
)
def test_the_key_of_a_place_leaves_out_the_files_that_the_command_names(command: str, line: str, is_same: bool) -> None:
    known = build_place_key("fatal: pathspec 'a.py' did not match any files", list_command_words("git add a.py"))
    assert known
    assert (build_place_key(line, list_command_words(command)) == known) is is_same
    assert (known in {key for key, _, _ in list_keys(line, list_command_words(command))}) is is_same


def test_without_the_command_every_name_of_a_line_may_be_what_it_worked_on() -> None:
    known = build_place_key("fatal: pathspec 'a.py' did not match any files", {b"a.py"})
    found = list(list_keys("fatal: pathspec 'b.py' did not match any files"))
    assert [key for key, _, _ in found] == [build_key(found[0][2]), known]
    assert {error_key for _, error_key, _ in found} == {build_key(found[0][2])}


def test_both_ends_of_an_output_are_looked_up() -> None:
    words = ["".join(chr(97 + int(digit)) * 3 for digit in str(n)) for n in range(10, 999)]
    output = "\n".join(f"the {word} of ledgers" for word in words)
    assert [line.split()[1] for _, _, line in list_keys(output)] == words[:50] + words[-50:]
    cut = f"the first of ledgers\n{'x' * 3 * MAX_EDGE}\nthe last of ledgers"
    assert [line for _, _, line in list_keys(cut)] == ["the first of ledgers", "the last of ledgers"]
