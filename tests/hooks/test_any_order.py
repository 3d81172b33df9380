"""In any order of moments no session receives two offers, no candidate is offered twice, and nothing raises."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hooks.lifecycle_world import World

SESSIONS = "ABC"
SENTENCES = st.one_of(
    st.tuples(
        st.sampled_from(["", "later ", "next day "]),
        st.sampled_from(SESSIONS),
        st.sampled_from(
            [
                "starts startup",
                "starts resume",
                "starts clear",
                "starts compact",
                "starts fork",
                "idles",
                "ends",
                "answers",
            ]
        ),
    ).map("{0[0]}{0[1]} {0[2]}".format),
    st.tuples(st.sampled_from(SESSIONS), st.sampled_from("xyz")).map("{0[0]} learns {0[1]}".format),
    st.tuples(st.sampled_from(SESSIONS), st.sampled_from("xyz")).map("{0[0]} writes {0[1]}".format),
)


@settings(max_examples=20)
@given(st.lists(SENTENCES, max_size=25))
def test_no_session_receives_two_offers_and_without_an_end_no_candidate_is_offered_twice(sentences: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, World(Path(folder)) as world:
        for session in SESSIONS:
            world.answers(session)  # so that no offer is made again
        for sentence in sentences:
            world.tell(sentence)
        offers = {session: set(texts) for session, texts in world.received.items()}
        assert all(len(texts) == 1 for texts in offers.values())
        offered = [name for texts in offers.values() for name in world.names(next(iter(texts))).split()]
        stored = {name for name, state in world.history().items()} | set(world.pending())
        assert set(offered) <= stored
        assert len(offered) == len(set(offered)) or any("ends" in sentence for sentence in sentences)


@settings(max_examples=20)
@given(st.lists(SENTENCES, max_size=15))
def test_ending_every_session_leaves_none_unfinished_and_no_markers(sentences: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder, World(Path(folder)) as world:
        for sentence in sentences:
            world.tell(sentence)
        for session in SESSIONS:
            world.tell(f"{session} ends\n{session} ends")
        before = (world.pending(), world.history(), len(world.reads))
        for session in SESSIONS:
            world.tell(f"{session} ends")
        assert (world.pending(), world.history(), len(world.reads)) == before
        assert (world.unfinished(), world.markers()) == ([], [])
