"""The user writes a message, something is changed, and then a command passes, the agent reports, or the user answers.

Example: "the sidebar flickers", a style is edited, the build passes, "it works". The span may also end at the last
change or in the next turn. Counterexample: a question answered without a change, which investigation.py proposes.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.timeline import Span, Timeline


def propose_spans(timeline: Timeline) -> Iterator[Span]:
    """Yield spans from a user message to the last change, and to the passes, the report and the message that follow.

    Changes in the message's own turn and in the next turn count.
    """
    total = len(timeline.observations)
    for position, message in enumerate(timeline.user_messages):
        following = timeline.user_messages[position + 1 : position + 3]
        stops = [*following, total][:2]
        for stop in dict.fromkeys(stops):
            changes = timeline.select(timeline.changes, message, stop)
            if not changes:
                continue
            for change in dict.fromkeys((changes[0], changes[-1])):
                for end in timeline.find_ends(change, stop):
                    yield message, end
            yield message, changes[-1]
            report = timeline.find_before(timeline.agent_messages, stop)
            if report is not None and report > changes[0]:
                yield message, report
            if stop < total:
                yield message, stop
