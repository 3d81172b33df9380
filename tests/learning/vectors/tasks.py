"""Storage and formatting for tasks: errors, strikes, hints, votes."""

from __future__ import annotations

from dataclasses import replace

from mind_skills.learning import criteria, errors, storage, strikes
from mind_skills.learning.profiles import Profile
from tests.learning.vectors.shape import Function, Given, at_of, iso, now_of, without_nothing


def by_time(entry: errors.ErrorEntry) -> str:
    """Build an id as the original does."""
    return f"{entry.task_id}-{entry.error_type}-{entry.at}"


class FirstMatch(storage.ErrorStorage):
    """In the original, two errors may share an id; both are stored, and the first one is resolved."""

    def __init__(self) -> None:
        super().__init__()
        self._stored: list[errors.ErrorEntry] = []

    def store(self, entry: errors.ErrorEntry) -> None:
        self._stored.append(entry)

    def resolve(self, error_id: str) -> bool:
        for index, entry in enumerate(self._stored):
            if entry.id == error_id:
                self._stored[index] = replace(entry, resolved=True)
                return True
        return False

    def list_by_task(self, task_id: str) -> list[errors.ErrorEntry]:
        return [entry for entry in self._stored if entry.task_id == task_id]


def accumulated(given: Given, profile: Profile) -> storage.ErrorAccumulator:
    found = storage.ErrorAccumulator(FirstMatch(), storage.create_error_id if profile.drops_invalid_times else by_time)
    recorded: list[errors.ErrorEntry] = []
    for op in given["ops"]:
        if op["op"] == "record":
            recorded.append(
                found.record(
                    op["bead_id"], op["error_type"], op["message"], at=at_of(op["at"]), **(op.get("options") or {})
                )
            )
        else:
            found.resolve(op["id"] if "id" in op else recorded[op["index"]].id)
    return found


def error_context(given: Given, profile: Profile) -> object:
    found = accumulated(given, profile).list_errors(
        given["beadId"], include_resolved=given.get("includeResolved", False)
    )
    return errors.format_errors(found, profile)


def error_stats(given: Given, profile: Profile) -> object:
    found = accumulated(given, profile).count_errors(given["beadId"])
    return {"total": found.total, "unresolved": found.unresolved, "by_type": found.by_type}


def record_error(given: Given, profile: Profile) -> object:
    entry = storage.ErrorAccumulator(FirstMatch(), by_time).record(
        given["bead_id"], given["error_type"], given["message"], at=now_of(given), **(given.get("options") or {})
    )
    result = {
        "id": entry.id,
        "bead_id": entry.task_id,
        "error_type": entry.error_type,
        "message": entry.message,
        "stack_trace": entry.stack_trace or None,
        "tool_name": entry.tool_name or None,
        "context": entry.context or None,
        "timestamp": iso(entry.at),
        "resolved": entry.resolved,
    }
    return without_nothing(result)


def run_strikes(given: Given, profile: Profile) -> object:
    records: dict[str, strikes.StrikeRecord] = {}
    return [strike(records, op) for op in given["ops"]]


def strike(records: dict[str, strikes.StrikeRecord], op: Given) -> object:
    name = op["op"]
    if name == "all":
        return len(records)
    record = records.get(op["bead"], strikes.StrikeRecord(op["bead"]))
    if name == "add":
        records[op["bead"]] = strikes.add_strike(record, op["attempt"], op["reason"], at=at_of(op["at"]))
        return strikes_out(records[op["bead"]])
    if name == "clear":
        records.pop(op["bead"], None)
        return None
    result: dict[str, object] = {
        "get": record.strike_count,
        "out": record.is_struck_out,
        "prompt": strikes.format_strikes(record),
    }
    return result[name]


def strikes_out(record: strikes.StrikeRecord) -> Given:
    assert record.first_strike_at is not None
    assert record.last_strike_at is not None
    return {
        "bead_id": record.task_id,
        "strike_count": record.strike_count,
        "failures": [{"attempt": f.attempt, "reason": f.reason, "timestamp": iso(f.at)} for f in record.failures],
        "last_strike_at": iso(record.last_strike_at),
        "first_strike_at": iso(record.first_strike_at),
    }


def classify(given: Given, profile: Profile) -> object:
    return errors.classify_failure(given["error"], profile)


def store_out(hint: strikes.Hint) -> Given:
    return {"information": hint.text, "metadata": hint.metadata, "instruction": hint.instruction}


def memory_on_success(given: Given, profile: Profile) -> object:
    return store_out(
        strikes.build_success_hint(given["beadId"], given["summary"], given["filesTouched"], given.get("strategy"))
    )


def memory_on_strikes(given: Given, profile: Profile) -> object:
    failures = [strikes.Failure(each["attempt"], each["reason"], 0) for each in given["failures"]]
    return store_out(strikes.build_three_strikes_hint(given["beadId"], failures))


def memory_query(given: Given, profile: Profile) -> object:
    query, limit, instruction = strikes.build_memory_query(given["task"])
    return {"query": query, "limit": limit, "instruction": instruction}


def memory_validation(given: Given, profile: Profile) -> object:
    instruction, context = strikes.build_validation_request(given["beadId"])
    return {"instruction": instruction, "context": context}


def list_after_eviction(given: Given, profile: Profile) -> object:
    feedback = storage.FeedbackStorage(max_size=given["maxSize"])
    for name in given["store"]:
        feedback.store(criteria.FeedbackEvent(name, "c", "helpful", 0))
    return [event.id for event in feedback.list_all()]


def promote_mandate(given: Given, profile: Profile) -> object:
    score = given["score"]
    return strikes.promote_mandate(score["net_votes"], score["vote_ratio"], given["currentStatus"])


def rolling_average(given: Given, profile: Profile) -> object:
    return strikes.average_recent(given["scores"])


def significant_drop(given: Given, profile: Profile) -> object:
    return strikes.is_significant_drop(given["currentScore"], given["baseline"], given.get("threshold", 0.15))


FUNCTIONS: dict[str, Function] = {
    "ErrorAccumulator.getErrorContext": error_context,
    "ErrorAccumulator.getErrorStats": error_stats,
    "ErrorAccumulator.recordError": record_error,
    "InMemoryFeedbackStorage.evict": list_after_eviction,
    "classifyFailure": classify,
    "eval.calculateRollingAverage": rolling_average,
    "eval.isSignificantDrop": significant_drop,
    "formatMemoryQueryForDecomposition": memory_query,
    "formatMemoryStoreOn3Strike": memory_on_strikes,
    "formatMemoryStoreOnSuccess": memory_on_success,
    "formatMemoryValidationHint": memory_validation,
    "mandate.shouldPromote": promote_mandate,
    "strikes": run_strikes,
}
