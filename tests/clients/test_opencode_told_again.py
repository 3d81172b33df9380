"""The real OpenCode, killed between the claim of an offer and the request to the model, and resumed."""

from __future__ import annotations

import os
import signal

from tests.clients.lesson import LOOK, stage_lesson
from tests.clients.observing import OPENING, wait_for
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
"""A plugin that blocks OpenCode when ours has claimed its offer and not yet added it to the request."""


def kill_before_model_request(client: OpenCode, *more: str) -> None:
    """Run the client until it has requested its offer, and kill it before its request to the model."""
    begun = client.root / "begun"
    plugin = client.config / "plugin" / "zz-hangs.js"
    plugin.write_text(HANGS.format(path=f'"{begun}"', opening=OPENING))
    with client.start("And now?", *more) as running:
        wait_for(begun.exists, "the request for the offer")
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
    client.wait_until_settled()
    assert begun.read_text() == "not yet"
    plugin.unlink()
    begun.unlink()


def count_offers_in(client: OpenCode, *scripts: str) -> list[list[int]]:
    """Run new sessions, and count the offers in the requests of each."""
    for script in scripts:
        client.session(script)
    return [client.count_offers(script) for script in scripts]


def test_an_offer_that_a_server_session_read_is_not_repeated_after_another_process_dies(
    opencode: OpenCode,
) -> None:
    stage_lesson(opencode)
    opencode.script("two", [LOOK], ["Hello."])
    with opencode.run_server() as (_, attached):
        assert opencode.say("Hello", *attached).code == 0
        opencode.wait_until_settled()
        assert opencode.count_offers("two") == [1, 1]
        kill_before_model_request(opencode, "--continue")
        assert count_offers_in(opencode, "three", "four", "five") == [[0], [0], [0]]
    assert opencode.hook_log() == ""


def test_an_offer_whose_session_was_killed_twice_goes_to_one_later_session(opencode: OpenCode) -> None:
    stage_lesson(opencode)
    kill_before_model_request(opencode)
    kill_before_model_request(opencode, "--continue")
    counts = count_offers_in(opencode, "three", "four", "five")
    assert (sorted(counts), opencode.hook_log()) == ([[0], [0], [1]], "")
