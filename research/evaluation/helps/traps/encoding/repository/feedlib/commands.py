"""The commands: functions that print, with the words after their name."""

import subprocess
import sys
import zlib
from pathlib import Path

from feedlib.frame import BrokenFeed, read_feed

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "feeds"


def load(name):
    path = FOLDER / f"{name}.dat"
    if not path.exists():
        raise BrokenFeed(f"there is no feed {name}")
    return read_feed(path)


def suppliers():
    return sorted(path.stem for path in FOLDER.glob("*.dat"))


def list_(*words):
    for name in suppliers():
        feed = load(name)
        print(f"{name:<8} version {feed.version}, day {feed.day}, {len(feed.articles)} articles")


def count(name):
    print(len(load(name).articles))


def worth(name):
    print(f"{sum(article.cents * article.stock for article in load(name).articles) / 100:.2f}")


def control(name):
    done = subprocess.run([sys.executable, str(ROOT / "feed"), "names", name], capture_output=True)
    if done.returncode:
        raise BrokenFeed(f"{name} cannot be controlled:\n{done.stderr.decode()}")
    if zlib.crc32(done.stdout) != load(name).control:
        raise BrokenFeed(f"the names of {name} are not those that the supplier sent")
    print(f"{name} ok")


COMMANDS = {"list": list_, "count": count, "worth": worth, "control": control}
