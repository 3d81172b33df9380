"""The real OpenCode, killed between the taking of an offer and the request to the model, and resumed."""

from __future__ import annotations

import os
import signal

from tests.clients.lesson import LOOK, learned
from tests.clients.observing import OPENING, eventually
from tests.clients.real_opencode import OpenCode

HANGS = """
import {{ renameSync, writeFileSync }} from "node:fs";
export default {{ id: "hangs", server: async () => ({{
  "experimental.chat.system.transform": async (_, {{ system }}) => {{
    writeFileSync({path} + ".new", system.some((text) => text.includes("{opening}")) ? "told" : "not yet");
    renameSync({path} + ".new", {path});
    await new Promise(() => {{}});
  }},
}}) }};
"""
"""A plugin before ours, on which OpenCode waits when ours has taken its offer and not put it before the model."""


def killed_before_it_asks_the_model(client: OpenCode, *more: str) -> None:
    """One run that asks for its offer, and is killed before it asks the model."""
    begun = client.root / "begun"
    plugin = client.config / "plugin" / "zz-hangs.js"
    plugin.write_text(HANGS.format(path=f'"{begun}"', opening=OPENING))
    with client.started("And now?", *more) as running:
        eventually(begun.exists, "the request for the offer")
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
    client.settled()
    assert begun.read_text() == "not yet"
    plugin.unlink()
    begun.unlink()


def says_hello(client: OpenCode, *scripts: str) -> list[list[int]]:
    """How often each of these new sessions was told."""
    for script in scripts:
        client.session(script)
    return [client.copies(script) for script in scripts]


def test_an_offer_that_a_server_session_read_is_not_repeated_after_another_process_dies(
    opencode: OpenCode,
) -> None:
    learned(opencode)
    opencode.script("two", [LOOK], ["Hello."])
    with opencode.served() as (_, attached):
        assert opencode.say("Hello", *attached).code == 0
        opencode.settled()
        assert opencode.copies("two") == [1, 1]
        killed_before_it_asks_the_model(opencode, "--continue")
        assert says_hello(opencode, "three", "four", "five") == [[0], [0], [0]]
    assert opencode.hook_log() == ""


def test_an_offer_whose_session_was_killed_twice_goes_to_one_later_session(opencode: OpenCode) -> None:
    learned(opencode)
    killed_before_it_asks_the_model(opencode)
    killed_before_it_asks_the_model(opencode, "--continue")
    told = says_hello(opencode, "three", "four", "five")
    assert (sorted(told), opencode.hook_log()) == ([[0], [0], [1]], "")
