"""What can be wrong with what memory is given, or with its index, in words for the person who has to act on it."""

from __future__ import annotations

from mind_skills.store.errors import StoreError


class BadRecordError(StoreError):
    """A record that cannot be kept: without content, without an id, of a kind that there is not."""

    code = "bad-record"
    hint = "Give it a text that can be read, and a kind that there is."


class UnusableIndexError(StoreError):
    """The index cannot be made or read, and the reason is not in it: a full disk, a folder that is not writable."""

    code = "memory-index"
    hint = "Check the folder and the free space, then run `mind-skills memory rebuild`."
