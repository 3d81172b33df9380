"""What a host starts for a hook: ``python -I -S plugin/entry.py HOST [MOMENT]``, the payload on stdin.

Run by path, so that neither the working directory nor PYTHONPATH decides what is imported: the folder above this
file, and nothing else, becomes ``mind_skills``. That holds in a checkout, in a plugin folder and in a wheel. Kept
tiny, since a script is compiled at each start while a module is not.
"""

import sys

TOO_OLD = 86
"""Exit code by which hook.sh, like by any but 0, knows to try another interpreter; stdin has not been touched."""

if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036 -- whatever Python the machine has gets here
        sys.exit(TOO_OLD)
    package = type(sys)("mind_skills")
    package.__path__ = [__file__.replace("\\", "/").rsplit("/", 2)[0]]
    sys.modules["mind_skills"] = package
    try:
        if sys.platform == "win32":
            from mind_skills.plugin.hook import main

            main(sys.argv[1:], leave=True)
        else:
            from mind_skills.plugin.quick import main

            main(sys.argv[1:])
    except (ImportError, OSError, MemoryError):
        # Our own modules cannot be read: no file can be opened any more, the disk fails. No host may feel that, and the
        # next hook does what this one did not; `mind-skills doctor`, which asks for it, is told.
        environment = __import__("nt" if sys.platform == "win32" else "posix").environ  # built in, where os is a file
        if not {"MIND_SKILLS_PROBE", b"MIND_SKILLS_PROBE"}.isdisjoint(environment):
            raise
        sys.exit(0)
