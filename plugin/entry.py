"""The script that a host runs for a hook: ``python -I -S plugin/entry.py HOST [MOMENT]``, with the payload on stdin.

It is run by path, so that neither the working directory nor PYTHONPATH decides what is imported: the folder above
plugin/ always becomes the package ``mind_skills``, in a checkout, a plugin folder or an installed wheel. Kept small,
since Python compiles a script, unlike a module, at each start.
"""

import sys

TOO_OLD = 86
"""Exit code of an interpreter that is too old. hook.sh then tries another one, since stdin is still unread."""

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
    except (ImportError, OSError, MemoryError, EOFError) as error:
        # Our modules cannot be loaded, for example for lack of file descriptors or because of a disk error. The host
        # must not notice, and the next hook does the work. `mind-skills doctor` sets a variable to see the error.
        if isinstance(error, EOFError):  # bytecode truncated by a full disk: see store/bytecode.py
            sys.implementation.cache_tag = None  # type: ignore[assignment]  # from here on modules are loaded from source
            try:
                from mind_skills.store.bytecode import remove_bytecode

                remove_bytecode()
            except (ImportError, OSError, MemoryError):
                pass  # the next hook tries again
        environment = __import__("nt" if sys.platform == "win32" else "posix").environ  # a builtin module, unlike os
        if not {"MIND_SKILLS_PROBE", b"MIND_SKILLS_PROBE"}.isdisjoint(environment):
            raise
        sys.exit(0)
