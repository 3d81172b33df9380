"""How the desk is connected."""

from functools import cache

from switchboard.client import Client
from ticketdesk.house import ROOT, desk


@cache
def line():
    return Client(ROOT, desk()["desk"].get("site", ""))
