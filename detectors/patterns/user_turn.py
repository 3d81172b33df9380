"""The user says something, something is changed, and a check passes, the agent reports, or the user answers.

Example: "the sidebar flickers", a style is edited, the build passes, "it works". The span may go on over the user's next message.
Neighbour that is none: a question that is answered without a change, which investigation.py proposes.
"""

from __future__ import annotations

from collections.abc import Iterator

from mind_skills.detectors.patterns.spans import Span, ends
from mind_skills.detectors.timeline import Timeline


def propose(line: Timeline) -> Iterator[Span]:
    """From a message of the user to what ends the changes of its turn, and of the next one."""
    total = len(line.observations)
    for place, user in enumerate(line.users):
        following = line.users[place + 1 : place + 3]
        stops = [*following, total][:2]
        for stop in dict.fromkeys(stops):
            changes = line.within(line.changes, user, stop)
            if not changes:
                continue
            for change in dict.fromkeys((changes[0], changes[-1])):
                for end in ends(line, change, stop):
                    yield user, end
            yield user, changes[-1]
            report = line.before(line.aloud, stop)
            if report is not None and report > changes[0]:
                yield user, report
            if stop < total:
                yield user, stop
