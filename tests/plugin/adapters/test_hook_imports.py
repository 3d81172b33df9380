"""What a hook imports while its host waits: next to nothing."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.store.project import resolve_project
from tests.plugin.adapters.hook_host import WAITED, Host
from tests.testkit.paths import ROOT


@pytest.mark.parametrize("other", [False, True], ids=["alone", "next to a session that has not answered its offer yet"])
def test_a_start_without_an_offer_imports_next_to_nothing(host: Host, other: bool) -> None:
    if other:
        host.stage()
        assert host.hook(host.payload("SessionStart", "first", source="startup"))[1] != b""
        host.settle()
    code = """if True:
        import sys
        package = type(sys)("mind_skills")
        package.__path__ = [sys.argv[1]]
        sys.modules["mind_skills"] = package
        before = set(sys.modules)
        from mind_skills.plugin import hook
        hook._detach = lambda *rest: -1
        out = hook.os.dup(1)
        hook.main(["claude-code", "start"])
        new = sorted(name for name in set(sys.modules) - before if not name.startswith("mind_skills"))
        hook.os.write(out, " ".join(new).encode())
    """
    line = [sys.executable, "-I", "-S", "-c", code, str(ROOT)]
    data = json.dumps(host.payload("SessionStart", source="startup")).encode()
    done = subprocess.run(line, input=data, capture_output=True, env=host.environment, check=True, timeout=WAITED)
    allowed = {
        "__future__",
        "_blake2",
        "_collections_abc",
        "_json",
        "_stat",
        "genericpath",
        "os",
        "os.path",
        "posixpath",
        "stat",
        *("abc", "_abc", "errno"),  # Python 3.14 starts without these
    }
    assert set(done.stdout.decode().split()) <= allowed
    assert host.log() == ""


@pytest.mark.parametrize(
    ("name", "event"),
    [*(("claude-code", event) for event in ("SessionStart", "Stop", "SessionEnd")), ("codex", "Stop")],
)
def test_an_ordinary_event_imports_no_module_of_the_standard_library(host: Host, name: str, event: str) -> None:
    SessionMarkers(str(host.state), "earlier", resolve_project(str(host.project)).id).ending.write()
    SessionMarkers(str(host.state), "earlier", resolve_project(str(host.project)).id).ending.remove()
    code = """if True:
        import posix, sys
        package = type(sys)("mind_skills")
        package.__path__ = [sys.argv[1]]
        sys.modules["mind_skills"] = package
        before = set(sys.modules)
        from mind_skills.plugin import fast_path
        out = posix.dup(1)
        def fork():
            new = sorted(name for name in set(sys.modules) - before)
            posix.write(out, " ".join(new).encode())
            return 1
        fast_path.posix = type(sys)("posix")
        fast_path.posix.__dict__.update(vars(posix))
        fast_path.posix.fork = fork
        fast_path.main([sys.argv[2]])
    """
    line = [sys.executable, "-I", "-S", "-c", code, str(ROOT), name]
    data = json.dumps(host.payload(event)).encode()
    done = subprocess.run(line, input=data, capture_output=True, env=host.environment, check=True, timeout=WAITED)
    names = ["plugin", "plugin.fast_path", "hooks", "hooks.hotpath", "hosts", f"hosts.{name.replace('-', '_')}"]
    names += ["plugin.host_process"] * (name == "codex")
    ours = {f"mind_skills.{name}" for name in names}
    # Some systems have these C modules outside of the interpreter.
    assert set(done.stdout.decode().split()) - {"__future__", "_json", "_blake2"} == ours
    assert host.log() == ""
