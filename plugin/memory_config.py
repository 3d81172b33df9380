"""The settings of the memory, and what they ask of the extras."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from mind_skills.memory.embedding import INDEX, MODEL, Extras
from mind_skills.plugin.rule_config import Section

_INDEX = r"^(\.?[A-Za-z0-9_-][A-Za-z0-9._-]*/)*\.?[A-Za-z0-9_-][A-Za-z0-9._-]*\.lance$|^$"


def _no_way_up(path: str) -> str:
    """Refuse a path that leads out of the project."""
    if any(part.startswith("..") for part in path.split("/")):
        raise ValueError("an index stands inside the project")
    return path


class Memory(Section):
    """How much is kept; and where the index of LanceDB stands, and which model encodes, where the extras are installed."""

    index: Annotated[
        str,
        AfterValidator(_no_way_up),
        Field(
            max_length=100,
            pattern=_INDEX,
            description="Where LanceDB's index stands in a project, with the extra `lancedb`; empty for no index.",
        ),
    ] = INDEX
    model: Annotated[
        str,
        Field(
            max_length=400,
            pattern=r"^[^\x00-\x1f\x7f]*$",
            description="With the extra `embeddings`: a model's name, or the folder that holds one; empty for no model. "
            "Only the user's own file counts.",
        ),
    ] = MODEL
    episodes: Annotated[
        int,
        Field(
            ge=0,
            le=100_000,
            description="How many past sessions are kept, the newest; only the user's own file counts.",
        ),
    ] = 2_000


def extras(root: str) -> Extras:
    """What may be used in the project whose folder is ``root``. Raises MindSkillsError where a settings file is wrong.

    A model may run what its files say, so a project that came from elsewhere does not name one.
    """
    from mind_skills.plugin import config
    from mind_skills.plugin.settings import user_file

    users = config.check(config.read(Path(user_file())), user_file())
    return Extras(index=config.load(root).config.memory.index, model=users.memory.model)
