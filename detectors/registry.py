"""Every finding of a session: proposed, measured, scored, chosen, composed."""
from collections.abc import Sequence
from mind_skills.detectors.model import Finding
from mind_skills.observations.model import Observation
def detect(observations: Sequence[Observation], project: str = "", most: int = 5) -> list[Finding]:
    return []
