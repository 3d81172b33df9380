"""A secret is gone also where an observation holds only a part of it, of which no rule knows the beginning any more."""

from __future__ import annotations

import sys
from random import Random

from mind_skills.observations import builders
from tests.redaction.planted import ISSUED, pem


def test_a_key_that_stands_where_a_program_does_is_not_in_the_signature() -> None:
    (maker,) = ISSUED[
        "google-refresh-token"
    ]  # which holds slashes, and of a program only what follows the last is kept
    key = maker(Random(3))
    seen = builders.build_tool_call("Bash", "run", line=1, command=f"bundle exec {key} rspec a_spec.rb")
    assert (seen.command, seen.signature) == (
        "bundle exec [redacted:google-refresh-token] rspec a_spec.rb",
        "[redacted:google-refresh-token] rspec",
    )
    long = builders.build_tool_call("Bash", "run", line=1, command=f"echo {'a ' * 600}; {key} rspec {'b ' * 600}")
    assert key[-12:] not in repr(long)


def test_the_lines_of_a_key_that_takes_the_place_of_another_are_not_in_the_change() -> None:
    random = Random(4)
    old, new = pem("")(random), pem("")(random)
    seen = builders.build_tool_call("Edit", "edit", line=1, files=("a.pem",), removed=old, added=new)
    assert seen.change == ""
    more = builders.build_tool_call(
        "Edit", "edit", line=1, files=("a.yml",), removed=f"a: 1\n{old}", added=f"a: 2\n{new}"
    )
    assert more.change == "-a: 1\n+a: 2"


def test_a_key_at_which_the_line_of_an_error_is_cut_is_gone_before_it_is_cut() -> None:
    key = "sl." + "Vw9prAq7bmS43BrK63dJLU1q" * 6
    line = f"Error: {'the file was not included and ' * 6} {key}"
    found = builders.build_tool_call(
        "exec", "run", line=1, at=None, agent="main", output=line, outcome="failed", exit_code=2
    )
    assert "Vw9prAq7bm" not in found.error
    assert len(found.error) <= 240


def test_a_long_line_of_an_error_is_its_beginning_and_stays_one_line() -> None:
    line = "Error: " + " ".join(f"part{number}" for number in range(100))
    assert (
        builders.build_tool_call("exec", "run", line=1, output=line, outcome="failed", exit_code=2).error == line[:240]
    )


def test_a_key_that_comes_near_since_much_before_it_was_redacted_is_gone_too() -> None:
    (maker,) = ISSUED["google-refresh-token"]
    longer = "sl." + "Vw9prAq7bmS43BrK63dJLU1q" * 18
    line = f"env: {longer} {longer} {'ok ' * 21}{maker(Random(3))} {'and more ' * 40}"
    found = builders.build_tool_call("exec", "run", line=1, output=line, outcome="failed", exit_code=2)
    told = f"env: [redacted:dropbox-token] [redacted:dropbox-token] {'ok ' * 21}1//[redacted:password]"
    assert found.error == told  # half of a key is none of its issuer's, but looks generated


def test_a_command_that_holds_a_document_is_not_kept_beyond_its_observation() -> None:
    command = "cat > a.txt <<EOF\n" + "a line of it\n" * 10_000 + "EOF\n"
    before = sys.getrefcount(command)
    builders.build_tool_call("Bash", "run", line=1, command=command)
    assert sys.getrefcount(command) == before
