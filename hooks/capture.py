"""``python -I -S hooks/capture.py HOST``: append the event on stdin to the spool (hooks/spool.py).

Run by path, like plugin/entry.py, and kept small because Python compiles scripts, unlike modules, at every start.
"""

import sys

if __name__ == "__main__" and sys.version_info >= (3, 11) and sys.platform != "win32":
    package = type(sys)("mind_skills")
    package.__path__ = [__file__.replace("\\", "/").rsplit("/", 2)[0]]
    sys.modules["mind_skills"] = package
    try:
        from mind_skills.hooks.spool import main

        main(sys.argv[1:])
    except (ImportError, OSError, MemoryError, EOFError) as error:
        if isinstance(error, EOFError):  # as in plugin/entry.py
            sys.implementation.cache_tag = None  # type: ignore[assignment]
            try:
                from mind_skills.store.bytecode import remove_bytecode

                remove_bytecode()
            except (ImportError, OSError, MemoryError):
                pass
        sys.exit(0)  # our own modules cannot be read; the host must not fail because of that
