"""Look at the records: python3 -m rangers list NAME | show NAME KEY | check"""

import sys

from rangers.kit.fields import BadField
from rangers.kit.tables import lay_out, underline
from rangers.registry import NAMES, store_of, table_of


def show(name, key):
    store = store_of(name)
    for field, text in store.render(store.get(key)).items():
        print(f"{field + ':':<16}{text}")


def check():
    """Read every file, and look that keys are there once."""
    wrong = 0
    for name in NAMES:
        store = store_of(name)
        try:
            keys = [getattr(record, store.key) for record in store.read()]
        except BadField as error:
            print(f"{name}: {error}", file=sys.stderr)
            wrong += 1
            continue
        if len(set(keys)) < len(keys):
            print(f"{name}: a key is there twice", file=sys.stderr)
            wrong += 1
        print(f"{name:<20}{len(keys):>5}")
    return 1 if wrong else 0


def main(arguments):
    try:
        match arguments:
            case ["list", name]:
                print("\n".join(underline(lay_out(table_of(name, store_of(name).read())))))
            case ["show", name, key]:
                show(name, key)
            case ["check"]:
                return check()
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except KeyError as missing:
        print(f"there is no {missing}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
