"""Run the cases of a library, and make its archive."""

import argparse
import sys
from pathlib import Path

import contract
import shipping
from casing import load_suites, run_suite
from house import run_house
from recording import write_results

sys.path.insert(0, str(Path.cwd()))


def run(names):
    suites = load_suites()
    unknown = [name for name in names if name not in suites and name != "house"]
    if unknown:
        print(f"run-tests: there is no suite {unknown[0]}", file=sys.stderr)
        return 2
    results, shown = {}, []
    for name, cases in suites.items():
        if not names or name in names:
            results[name], texts = run_suite(cases)
            shown += [f"--- {name}: {text}" for text in texts]
    if not names or "house" in names:
        results["house"], texts = run_house()
        if names:
            shown += [f"--- house: {text}" for text in texts]
    if not names:
        write_results(results)
    for text in shown:
        print(text)
    count = sum(len(cases) for name, cases in results.items() if name != "house" or names)
    if shown:
        print(f"{len(shown)} of {count} cases failed")
        return 1
    print(f"OK, {count} cases")
    return 0


def main(arguments):
    parser = argparse.ArgumentParser(prog={"run": "run-tests", "ship": "ship"}.get("".join(arguments[:1]), "runner"))
    if arguments[:1] == ["ship"]:
        parser.parse_args(arguments[1:])
        return shipping.ship()
    if arguments[:1] == ["record"]:
        parser.add_argument("name", nargs="+")
        return contract.record(parser.parse_args(arguments[1:]).name)
    parser.add_argument("suite", nargs="*", help="a folder of tests/; without any, all are run")
    return run(parser.parse_args(arguments[1:]).suite)
