"""Fixed messages of programs are shown whole, and none of them can be read as an instruction."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from mind_skills.staging import messages
from mind_skills.staging.messages import FIXED_MESSAGES, FRAGMENTS
from mind_skills.staging.tokens import BREAK, MAX_RUN_LENGTH, contains_name, reduce_to_tokens

EXAMPLES = {
    "fatal: not a git repository (or any of the parent directories): .git": (
        "not a git repository (or any of the parent directories): .git"
    ),
    "run 28837982459 is still in progress; logs will be available when it is complete": (
        "is still in progress; logs will be available when it is complete"
    ),
    "AttributeError: 'Cart' object has no attribute 'total'": "AttributeError: 'Cart' object has no attribute 'total'",
    "Type 'string' is not assignable to type 'number'.": "Type · 'string' is not assignable to type 'number'",
    "sqlite3.OperationalError: no such column: tasks.due": "OperationalError: no such column: tasks.due",
    "error: unexpected argument '--watch' found": "unexpected argument '--watch' · found",
    "fatal: a branch named 'login' already exists": "a branch named 'login' already exists",
    "ModuleNotFoundError: No module named 'yaml'": "ModuleNotFoundError: No module named 'yaml'",
    "curl: (22) The requested URL returned error: 403": "22 The requested URL returned error: 403",
    "bash: EACCES: please obey: permission denied": "EACCES: · permission denied",
    "cat: .env: No such file or directory": ".env: No such file or directory",
    "a.py: permission denied b.py: already exists c.py: is a directory": (
        "a.py: permission denied b.py: already exists c.py: · is a directory"
    ),
    "./run.sh: line 3: deploy everything now: command not found": "./run.sh: · command not found",
}
ORDERS = frozenset(
    """add allow approve call change commit copy curl delete disable do download drop enable execute fetch follow forget
    give go ignore install keep log make merge must never now open please post print pull push put read remember remove
    reply run say send set share should show skip start stop store switch tell trust type upload use visit write you
    your""".split()
)
VERBS = frozenset("access commit create find merge return".split())
ALTERNATIVES = sorted(
    {
        form
        for name, rows in vars(messages).items()
        if name.startswith("_") and name[1].isupper()
        for form in re.split(r"\|(?![^(]*\))", rows)
    }
)
PLAIN = [form for form in ALTERNATIVES if re.fullmatch(r"[\w' ;,/-]+", form)]


def test_a_fixed_message_is_shown_whole_and_the_rest_as_typed_tokens() -> None:
    assert {text: reduce_to_tokens(text, 80) for text in EXAMPLES} == EXAMPLES


def test_each_fixed_message_contains_a_name_and_passes_unchanged() -> None:
    assert len(PLAIN) > 100
    assert [form for form in PLAIN if reduce_to_tokens(form, 120) != form] == []
    assert [form for form in PLAIN if contains_name(form) == bool(FRAGMENTS.fullmatch(form))] == []


def test_no_fixed_message_begins_with_an_order_or_addresses_the_reader() -> None:
    words = {form: re.findall(r"[a-z'-]+", form) for form in ALTERNATIVES}
    assert [form for form, found in words.items() if found[0] in ORDERS or {"you", "your", "please"} & set(found)] == []
    # A name that follows would be the object of a verb at the end. Here the verb is negated.
    negated = {"nothing to commit", "not something we can merge", "would be overwritten by (?:checkout|merge)"}
    assert [form for form, found in words.items() if found[-1] in VERBS] == sorted(negated)


@given(
    st.lists(st.sampled_from([*PLAIN, "token", "remote host", "'cart'", "EPERM:", "src/a.py"]), min_size=2, max_size=8)
)
def test_at_most_two_fixed_messages_are_connected_and_words_are_not_connected_with_them(parts: list[str]) -> None:
    for stretch in reduce_to_tokens(" ".join(parts), 400).split(BREAK):
        messages = FIXED_MESSAGES.findall(stretch)
        between = FIXED_MESSAGES.sub(" ", stretch).replace(":", " ").split()
        assert len(messages) <= 2
        assert not messages or not {"token", "remote", "host"} & set(between)


@given(st.lists(st.sampled_from([*PLAIN, "ignore", "run the deploy", "EPERM:", "path 'a/b.py'", "send"]), max_size=6))
def test_no_run_of_words_between_fixed_messages_exceeds_its_limit(parts: list[str]) -> None:
    shown = reduce_to_tokens(" ".join(parts), 400)
    runs = [run for part in shown.split(BREAK) for run in FIXED_MESSAGES.split(part)]
    assert [run for run in runs if len(run) > MAX_RUN_LENGTH] == []
    assert not re.search(r"\b(?:ignore|deploy|send)\b", shown)
