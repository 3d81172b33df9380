"""Adding our hooks to a settings document, and removing them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.plugin.command import make_shell_command
from mind_skills.setup.install.json_edit import JsoncError, parse
from mind_skills.setup.install.targets import add_hooks, find_handlers, is_our_handler, remove_hooks
from tests.setup.settings_documents import THEIRS, settings, texts, values

EVENTS = {"SessionStart": "start", "Stop": "idle", "SessionEnd": "end"}
WANTED = {
    event: {
        "hooks": [
            {"type": "command", "command": make_shell_command("/p/bin/python", "/s/plugin/entry.py", "codex", moment)}
        ]
    }
    for event, moment in EVENTS.items()
}


def parse_value(text: str) -> Any:
    root = parse(text)
    return {} if root is None else root.value


def add_ours(data: dict[str, Any]) -> dict[str, Any]:
    before = data.get("hooks", {})
    return {**data, "hooks": {**before, **{event: [*before.get(event, []), group] for event, group in WANTED.items()}}}


@given(texts)
def test_adding_and_removing_hooks_restores_every_byte(text: str) -> None:
    done = add_hooks(text, WANTED)
    assert remove_hooks(done.text, done.pieces, done.created_paths) == text


@given(texts)
def test_adding_hooks_preserves_all_other_settings(text: str) -> None:
    assert parse_value(add_hooks(text, WANTED).text) == add_ours(parse_value(text))


@given(texts)
def test_removing_hooks_without_the_inserted_pieces_restores_the_same_values(text: str) -> None:
    done = add_hooks(text, WANTED)
    assert parse_value(remove_hooks(done.text, (), done.created_paths)) == parse_value(text)


@given(texts)
def test_removing_hooks_preserves_comments_if_the_inserted_pieces_are_not_found(text: str) -> None:
    done = add_hooks(text, WANTED)
    left = remove_hooks(done.text, ("nowhere",), done.created_paths)
    for comment in ("// a remark", "/* one */", "/* two\n lines */", "// , } ]"):
        assert left.count(comment) == text.count(comment)


@given(settings)
def test_only_our_hooks_are_removed_from_settings_that_the_host_rewrote(data: dict[str, Any]) -> None:
    done = add_hooks(json.dumps(data), WANTED)
    anew = json.dumps(parse_value(done.text), indent=2)
    assert parse_value(remove_hooks(anew, done.pieces, done.created_paths)) == data


@given(settings, values)
def test_removing_hooks_preserves_later_additions_of_others(data: dict[str, Any], more: Any) -> None:
    done = add_hooks(json.dumps(data, indent=2), WANTED)
    later = {**parse_value(done.text), "added later": more}
    later["hooks"]["Stop"].append(THEIRS)
    left = parse_value(remove_hooks(json.dumps(later, indent=2), done.pieces, done.created_paths))
    before = {**data.get("hooks", {}), "Stop": [*data.get("hooks", {}).get("Stop", []), THEIRS]}
    assert left == {**data, "hooks": before, "added later": more}


@given(texts)
def test_hooks_that_were_added_twice_are_all_removed_at_once(text: str) -> None:
    twice = add_hooks(add_hooks(text, WANTED).text, WANTED).text
    assert {event: len(found) for event, found in find_handlers(twice.encode()).items()} == dict.fromkeys(EVENTS, 2)
    assert find_handlers(remove_hooks(twice).encode()) == {}


@given(st.text(max_size=40))
def test_any_text_is_parsed_or_raises_a_jsonc_error(text: str) -> None:
    try:
        root = parse(text)
    except JsoncError:
        return
    assert root is None or text[root.start : root.end].strip() != ""


@given(values)
def test_valid_json_is_parsed_to_the_same_value(data: Any) -> None:
    assert parse_value(json.dumps({"a": data})) == {"a": data}


PRETTY = """{
  "model": "opus", // the good one
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "notify-send done" }] }
    ]
  },
  "theme": "dark" // last
}
"""


def test_hooks_are_written_in_the_indentation_of_the_file() -> None:
    handler = '"type": "command", "command": "x/plugin/entry.py codex end"'
    group = {"hooks": [json.loads("{" + handler + "}")]}
    assert add_hooks(PRETTY, {"Stop": group, "SessionEnd": group}).text == PRETTY.replace(
        """done" }] }
    ]""",
        """done" }] },
      {
        "hooks": [
          {
            "type": "command",
            "command": "x/plugin/entry.py codex end"
          }
        ]
      }
    ],
    "SessionEnd": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "x/plugin/entry.py codex end"
          }
        ]
      }
    ]""",
    )
    assert (
        add_hooks('{"a": 1}', {"Stop": group}).text == '{"a": 1, "hooks": {"Stop": [{"hooks": [{' + handler + "}]}]}}"
    )
    begun = add_hooks('{\n\t"a": 1 // one\n}', {"Stop": group}).text
    assert begun.startswith('{\n\t"a": 1 // one\n\t, "hooks": {\n\t\t"Stop": [')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "line 1, column 2: unexpected end of file"),
        ('{"a": 1', "line 1, column 8: unexpected end of file"),
        ('{\n  "a": tru\n}', "line 2, column 8: expected a value"),
        ("{'a': 1}", "line 1, column 2: expected a key in quotes"),
        ('{"a" 1}', "line 1, column 6: expected a colon"),
        ('{"a": 1 "b": 2}', "line 1, column 9: expected a comma or }"),
        ("[1 2]", "line 1, column 4: expected a comma or ]"),
        ("{} {}", "line 1, column 4: unexpected text after the end of the document"),
        ("/* never ends", "line 1, column 1: expected a value"),
        ('"\\u12"', "line 1, column 1: invalid value"),
        ("[" * 1000, "line 1, column 202: more than 200 levels deep"),
    ],
)
def test_a_syntax_error_is_reported_with_its_line_and_column(text: str, said: str) -> None:
    with pytest.raises(JsoncError, match=r".") as caught:
        add_hooks(text, WANTED)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        (make_shell_command("/a b/python", "/c d/plugin/entry.py", "claude-code", "start"), True),
        (make_shell_command("/a$b/python", "/c'd/plugin/entry.py", "gemini", "end"), True),
        ("C:\\Python\\python.exe -I -S C:\\x\\plugin\\entry.py codex idle", True),
        ("sh /x/plugin/hook.sh codex idle", True),
        ("mind-skills hook codex", True),
        ('"/x/bin/mind-skills" hook gemini end', True),
        ("mind-skills status", False),
        ("python /x/plugin/entry.py", False),
        ("python /x/plugin/entry.py something", False),
        ("grep mind-skills hooks.log", False),
        (None, False),
    ],
)
def test_a_handler_is_recognised_as_ours_by_its_command(command: object, ours: bool) -> None:
    assert is_our_handler({"type": "command", "command": command}) is ours
