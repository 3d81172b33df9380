"""What can be wrong with what the memory is given, or with its index."""

from __future__ import annotations

from mind_skills.errors import StoreError


class BadRecordError(StoreError):
    """A record that cannot be kept: without content, without an id, of a kind that there is not."""

    code = "bad_record"
    hint = "Give it a text that can be read, and a kind that there is."


class UnusableIndexError(StoreError):
    """The index cannot be made or read, and the reason is not in it: a full disk, a folder that is not writable."""

    code = "memory_index"
    hint = "Check the folder and the free space, then run `mind-skills memory rebuild`."


class LanceError(StoreError):
    """The LanceDB table cannot be used: not installed, damaged, somebody else's, or the disk refuses."""

    code = "memory_lancedb"
    hint = "`mind-skills memory rebuild` makes the table anew; it never touches one that belongs to another tool."


class ModelUnavailableError(StoreError):
    """There is no model to be had here: not installed, not on this machine, not one that can be loaded."""

    code = "memory_model"
    hint = "`mind-skills memory health` says why; `mind-skills memory rebuild --download` fetches one."
