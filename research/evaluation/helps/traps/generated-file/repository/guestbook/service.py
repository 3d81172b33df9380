"""What visitors can do."""

import secrets

from guestbook import limits


class Refused(Exception):
    """Says to the visitor why not."""


class GuestBook:
    def __init__(self, clock):
        self.clock = clock
        self.entries = []
        self.sessions = {}
        self.last_entry = {}

    def sign_in(self, name):
        if not 0 < len(name) <= limits.NAME_CHARACTERS:
            raise Refused("that name is too long")
        token = secrets.token_hex(8)
        self.sessions[token] = (name, self.clock())
        return token

    def visitor(self, token):
        name, seen = self.sessions.get(token, (None, 0))
        if name is None or self.clock() - seen > limits.IDLE_SECONDS:
            self.sessions.pop(token, None)
            raise Refused("please sign in again")
        self.sessions[token] = (name, self.clock())
        return name

    def write(self, token, text):
        name = self.visitor(token)
        if len(text.encode()) > limits.ENTRY_BYTES:
            raise Refused("that entry is too long")
        if self.clock() - self.last_entry.get(name, float("-inf")) < limits.PAUSE_SECONDS:
            raise Refused("please wait a little")
        self.last_entry[name] = self.clock()
        self.entries.append((name, text))

    def page(self, number):
        """The entries of a page, newest first; pages count from 1."""
        newest = self.entries[::-1]
        return newest[(number - 1) * limits.PAGE_ENTRIES : number * limits.PAGE_ENTRIES]
