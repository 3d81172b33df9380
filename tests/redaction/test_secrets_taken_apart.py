"""A secret is redacted before a text is split or cut, since no rule might recognise a part of it."""

from __future__ import annotations

import sys
from random import Random

from mind_skills.observations import builders
from tests.redaction.planted import ISSUED, pem


def test_a_key_in_the_place_of_a_program_is_redacted_in_the_signature() -> None:
    (maker,) = ISSUED[
        "google-refresh-token"
    ]  # contains slashes, and a signature has only the part of a program after its last slash
    key = maker(Random(3))
    seen = builders.build_tool_call("Bash", "run", line=1, command=f"bundle exec {key} rspec a_spec.rb")
    assert (seen.command, seen.signature) == (
        "bundle exec [redacted:google-refresh-token] rspec a_spec.rb",
        "[redacted:google-refresh-token] rspec",
    )
    long = builders.build_tool_call("Bash", "run", line=1, command=f"echo {'a ' * 600}; {key} rspec {'b ' * 600}")
    assert key[-12:] not in repr(long)


def test_the_lines_of_a_private_key_that_replaces_another_are_not_in_the_change() -> None:
    random = Random(4)
    old, new = pem("")(random), pem("")(random)
    seen = builders.build_tool_call("Edit", "edit", line=1, files=("a.pem",), removed=old, added=new)
    assert seen.change == ""
    more = builders.build_tool_call(
        "Edit", "edit", line=1, files=("a.yml",), removed=f"a: 1\n{old}", added=f"a: 2\n{new}"
    )
    assert more.change == "-a: 1\n+a: 2"


def test_a_key_at_the_cut_of_an_error_line_is_redacted_before_the_cut() -> None:
    key = "sl." + "Vw9prAq7bmS43BrK63dJLU1q" * 6
    line = f"Error: {'the file was not included and ' * 6} {key}"
    found = builders.build_tool_call(
        "exec", "run", line=1, at=None, agent="main", output=line, outcome="failed", exit_code=2
    )
    assert "Vw9prAq7bm" not in found.error
    assert len(found.error) <= 240


def test_a_long_error_line_is_cut_to_its_first_240_characters() -> None:
    line = "Error: " + " ".join(f"part{number}" for number in range(100))
    assert (
        builders.build_tool_call("exec", "run", line=1, output=line, outcome="failed", exit_code=2).error == line[:240]
    )


def test_a_key_that_redaction_moves_into_the_first_240_characters_of_an_error_is_redacted() -> None:
    (maker,) = ISSUED["google-refresh-token"]
    longer = "sl." + "Vw9prAq7bmS43BrK63dJLU1q" * 18
    line = f"env: {longer} {longer} {'ok ' * 21}{maker(Random(3))} {'and more ' * 40}"
    found = builders.build_tool_call("exec", "run", line=1, output=line, outcome="failed", exit_code=2)
    expected = f"env: [redacted:dropbox-token] [redacted:dropbox-token] {'ok ' * 21}1//[redacted:password]"
    assert found.error == expected  # half of a key has no form of its issuer, but looks generated


def test_no_reference_to_a_command_with_a_here_document_is_held_after_it_was_built() -> None:
    command = "cat > a.txt <<EOF\n" + "a line of it\n" * 10_000 + "EOF\n"
    before = sys.getrefcount(command)
    builders.build_tool_call("Bash", "run", line=1, command=command)
    assert sys.getrefcount(command) == before
