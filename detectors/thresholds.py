"""Every number that decides what a detector sees, in one place, each with the reason for it.

Modules refer to them as ``thresholds.NAME`` when they run, so that `mind-skills eval --folds` can try others. The lengths
of titles and evidence are those of the published format and stand in evidence.py; the weights of the ranking stand in
staging/select.py.
"""

from __future__ import annotations

# A failure and its cure: error_fix.py

REACH = 150
"""Observations between a failure and its resolution: further away, something else was done in between."""
TRIES = 2
"""Failures before a cure counts without words: one is a slip, the second shows that it was not."""
TITLE_CAUSE = 70
"""Characters of a title that go to the cause: the error itself needs the rest of the 120."""

# A report and its solution: problem_solution.py

NEAR = 30
"""Observations between a report and what was found: further away, the report must be specific to belong to it."""
SPECIFIC_WORDS = 12
"""A report of fewer words ("still weird") names no symptom that a later reader could recognise."""
TITLE_ERROR = 60
"""Characters of a title that go to an error that the user pasted: what was found needs as many."""

# A long search: deep_investigation.py

VISITS = 5
"""Observations on one file, as in the published heuristic."""
LOOKS = 8
"""Reads and searches between the report and the conclusion: fewer is reading before writing."""

# A surprise and the other way: non_obvious.py

BEFORE = 6
"""Observations between a command and the words about it: parallel calls return together."""
AFTER = 40
"""Observations in which the other way must have worked."""

# What bears a change out: verification.py

RERUN = 40
"""Observations before a change in which the same command must have run for its other output to say something."""
ANSWER = 40
"""Observations after a check in which the user's next words are about what was checked."""
LAST_RED = 8
"""Failures, from the last back, among which a check that was never seen green again is looked for: an older one was left behind."""
RED = 64
"""Checks that can be red at a time, the latest of each kind: of more than that the oldest were left behind."""
STYLE_TEXT = 600
"""Characters of a report in which a word about style makes a linter the right judge: further down it is a detail."""
NAME_LENGTH = 4
"""Characters of a removed file's name: a shorter one is found in any text."""

# Words of the user and the agent: signals.py, evidence.py, noise.py, timeline.py

PASSAGE = 420
"""Characters of a passage: the sentence that carries the signal and what follows it."""
LOOK_BACK = 300
"""Characters before a signal in which its sentence must begin: longer ones are lists or logs."""
NARRATION = 700
"""Characters of what an agent says between two steps; longer texts are reviews and summaries."""
CONDITION = 120
"""Characters before a setback in which its sentence may set a condition ("if the flag does not match")."""
REPORT_LINE = 300
"""Characters of a request's first line in which it must say that something is broken to count as a report."""
COMPLAINT = 400
"""Characters up to which a message that says how things are, and asks for nothing, is a complaint: longer ones explain a task."""
SHORT_FOLLOW_UP = 25
"""A user message of fewer characters continues the task at hand ("yes please", "both")."""
FOLLOW_UP = 120
"""Characters up to which a message can be a follow-up by how it begins: longer ones are tasks."""
APPROVAL = 280
"""Characters up to which a message can be praise or a denial: longer ones are tasks."""
TELLING = 5
"""Words that say what a report is about; fewer fit too many reports ("it fails")."""
SENTENCE = 3
"""Words that say something which a sentence needs to stand as a title or a cause."""
WORD = 4
"""Characters of a word that says what a text is about: shorter ones are in every text."""
EXPLANATION = 8
"""Words that a sentence needs to say how things are: shorter ones announce a step."""
AT_ONCE = 2
"""Observations from an explanation to the change that it is of, where the two share no word."""
TOKENS_TEXT = 4_000
"""Characters whose words say what a text is about: what follows is logs and listings."""
HOST_WORDS = 400
"""Characters of a result in which the host speaks; further down it is the output of the program."""
SCRATCH_COMMAND = 300
"""Characters of a command in which it says where it writes: what follows is what it writes."""
