"""``python -I -S chaos_behind.py FOLDER HOST TIME``: what a hook's process does behind its host's back, in this process and
at a time that is given (UTC ms); the payload on stdin. ``FOLDER`` is the package's, as plugin/entry.py finds it."""

import sys

if __name__ == "__main__":
    package = type(sys)("mind_skills")
    package.__path__ = [sys.argv[1]]
    sys.modules["mind_skills"] = package
    from mind_skills.plugin.hook import run_detached

    run_detached([sys.argv[2]], sys.stdin.buffer.read(), int(sys.argv[3]), 0)
