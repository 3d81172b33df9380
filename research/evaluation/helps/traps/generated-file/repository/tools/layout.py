"""Lines of code are short, and end where they end."""

from pathlib import Path


def run(plan):
    for folder in (plan["package"], "tests"):
        for path in sorted(Path(folder).glob("*.py")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if len(line) > 120 or line != line.rstrip():
                    return f"{path}:{number}: too long, or spaces at the end"
    return None
