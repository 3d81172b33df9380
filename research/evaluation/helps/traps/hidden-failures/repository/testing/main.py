"""Run the cases."""

import sys
import traceback

from testing.cases import load_cases
from testing.record import write_record
from testing.tiers import level_of


def main():
    results = {}
    shown = []
    cases = load_cases()
    for suite, name, function in cases:
        passed, failed = results.get(suite, (0, 0))
        try:
            function()
        except Exception:
            results[suite] = (passed, failed + 1)
            if level_of(suite) > 1:
                shown.append(f"--- {suite}: {name}\n{traceback.format_exc(limit=-2)}")
        else:
            results[suite] = (passed + 1, failed)
    write_record(results)
    for text in shown:
        print(text)
    if shown:
        print(f"{len(shown)} of {len(cases)} cases failed")
        return 1
    print(f"OK, {len(cases)} cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
