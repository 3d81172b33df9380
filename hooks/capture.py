"""``python -I -S hooks/capture.py HOST``: puts down the event on stdin. What and where is said in hooks/spool.py.

Run by path, as plugin/entry.py is, and as tiny, since a script is compiled at each start while a module is not.
"""

import sys

if __name__ == "__main__" and sys.version_info >= (3, 11) and sys.platform != "win32":
    package = type(sys)("mind_skills")
    package.__path__ = [__file__.replace("\\", "/").rsplit("/", 2)[0]]
    sys.modules["mind_skills"] = package
    try:
        from mind_skills.hooks.spool import main

        main(sys.argv[1:])
    except (ImportError, OSError, MemoryError):
        sys.exit(0)  # our own modules cannot be read, and no host may feel that
