"""Lines of code are short, and end where they end."""

from pathlib import Path

LONGEST = 140


def look_at_layout(service):
    for path in sorted(Path(service).rglob("*.py")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if len(line) > LONGEST or line != line.rstrip():
                return f"{path}:{number}: too long, or spaces at the end"
    return None
