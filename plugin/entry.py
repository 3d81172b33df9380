"""The script that a host runs for a hook: ``python -I -S plugin/entry.py HOST [MOMENT]``, with the payload on stdin.

It is run by path, so that neither the working directory nor PYTHONPATH decides what is imported: the parent folder
always becomes the package ``mind_skills``, in a checkout, a plugin folder or an installed wheel. Kept small, since
Python compiles a script, unlike a module, at each start.
"""

import sys

TOO_OLD = 86
"""Exit code for an interpreter that is too old. hook.sh tries another one after any code but 0; stdin is still unread."""

if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036 -- any Python version may run this
        sys.exit(TOO_OLD)
    package = type(sys)("mind_skills")
    package.__path__ = [__file__.replace("\\", "/").rsplit("/", 2)[0]]
    sys.modules["mind_skills"] = package
    try:
        if sys.platform == "win32":
            from mind_skills.plugin.hook import main

            main(sys.argv[1:], leave=True)
        else:
            from mind_skills.plugin.fast_path import main

            main(sys.argv[1:])
    except (ImportError, OSError, MemoryError, EOFError):
        # Our modules cannot be loaded, for lack of file descriptors or because of a disk error. The host must not
        # notice, and the next hook does the work. Only where a full disk cut bytecode short (EOFError), which Python
        # before 3.12.8 and 3.13.1 keeps, does that last until the file is removed. `mind-skills doctor` sets the
        # variable to see the error.
        environment = __import__("nt" if sys.platform == "win32" else "posix").environ  # a builtin module, unlike os
        if not {"MIND_SKILLS_PROBE", b"MIND_SKILLS_PROBE"}.isdisjoint(environment):
            raise
        sys.exit(0)
