import sys

import lint
import show
import tidy

COMMANDS = {"lint": lint.main, "show": show.main, "tidy": tidy.main}
if sys.argv[1:2] and sys.argv[1] in COMMANDS:
    sys.exit(COMMANDS[sys.argv[1]](sys.argv[2:]))
sys.exit("usage: glossary lint|show|tidy ...")
