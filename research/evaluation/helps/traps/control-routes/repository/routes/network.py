"""Networks: for each place, its neighbours and the minutes to them."""

from pathlib import Path


def parse_map(text):
    network = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            one, other, minutes = line.split()
            network.setdefault(one, {})[other] = int(minutes)
            network.setdefault(other, {})[one] = int(minutes)
    return network


def read_map(path):
    return parse_map(Path(path).read_text())
