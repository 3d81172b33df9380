"""Our hooks in a document of settings, and out of it again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.plugin.command import make_shell_command
from mind_skills.setup.install.json_edit import ShapeError
from mind_skills.setup.install.jsonc import JsoncError, parse
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


def value(text: str) -> Any:
    root = parse(text)
    return {} if root is None else root.value


def with_ours(data: dict[str, Any]) -> dict[str, Any]:
    before = data.get("hooks", {})
    return {**data, "hooks": {**before, **{event: [*before.get(event, []), group] for event, group in WANTED.items()}}}


@given(texts)
def test_what_is_put_in_and_taken_out_again_leaves_the_same_bytes(text: str) -> None:
    done = add_hooks(text, WANTED)
    assert remove_hooks(done.text, done.pieces, done.created_paths) == text


@given(texts)
def test_what_is_put_in_is_there_beside_everything_else(text: str) -> None:
    assert value(add_hooks(text, WANTED).text) == with_ours(value(text))


@given(texts)
def test_without_the_pieces_the_same_settings_remain(text: str) -> None:
    done = add_hooks(text, WANTED)
    assert value(remove_hooks(done.text, (), done.created_paths)) == value(text)


@given(texts)
def test_comments_of_others_stay_where_the_pieces_cannot_be_found(text: str) -> None:
    done = add_hooks(text, WANTED)
    left = remove_hooks(done.text, ("nowhere",), done.created_paths)
    for comment in ("// a remark", "/* one */", "/* two\n lines */", "// , } ]"):
        assert left.count(comment) == text.count(comment)


@given(settings)
def test_settings_that_the_host_wrote_anew_lose_our_hooks_alone(data: dict[str, Any]) -> None:
    done = add_hooks(json.dumps(data), WANTED)
    anew = json.dumps(value(done.text), indent=2)
    assert value(remove_hooks(anew, done.pieces, done.created_paths)) == data


@given(settings, values)
def test_what_others_add_afterwards_stays(data: dict[str, Any], more: Any) -> None:
    done = add_hooks(json.dumps(data, indent=2), WANTED)
    later = {**value(done.text), "added later": more}
    later["hooks"]["Stop"].append(THEIRS)
    left = value(remove_hooks(json.dumps(later, indent=2), done.pieces, done.created_paths))
    before = {**data.get("hooks", {}), "Stop": [*data.get("hooks", {}).get("Stop", []), THEIRS]}
    assert left == {**data, "hooks": before, "added later": more}


@given(texts)
def test_putting_in_twice_is_found_twice_and_taken_out_at_once(text: str) -> None:
    twice = add_hooks(add_hooks(text, WANTED).text, WANTED).text
    assert {event: len(found) for event, found in find_handlers(twice).items()} == dict.fromkeys(EVENTS, 2)
    assert find_handlers(remove_hooks(twice)) == {}


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        root = parse(text)
    except JsoncError:
        return
    assert root is None or text[root.start : root.end].strip() != ""


@given(values)
def test_what_is_json_is_read_as_json(data: Any) -> None:
    assert value(json.dumps({"a": data})) == {"a": data}


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


def test_hooks_are_written_the_way_the_file_is_written() -> None:
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
def test_what_is_no_json_is_named_with_its_place(text: str, said: str) -> None:
    with pytest.raises(JsoncError, match=r".") as caught:
        add_hooks(text, WANTED)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "the document is not an object"),
        ('{"hooks": []}', "hooks is not an object"),
        ('{"hooks": {"Stop": {}}}', "hooks.Stop is not a list"),
    ],
)
def test_settings_of_another_shape_are_refused(text: str, said: str) -> None:
    with pytest.raises(ShapeError, match=said):
        add_hooks(text, WANTED)


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
def test_a_handler_is_ours_by_what_it_runs(command: object, ours: bool) -> None:
    assert is_our_handler({"type": "command", "command": command}) is ours
