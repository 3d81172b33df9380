"""Settings for tests."""

from unittest import mock

START = {"discount": "0", "family": "off", "largest-group": "12", "receipt": "short", "dogs": "off"}


def with_settings(**values):
    """Put settings in place of those of the switchboard; largest_group is largest-group."""
    found = START | {name.replace("_", "-"): value for name, value in values.items()}
    return mock.patch("ticketdesk.settings.ask", found.__getitem__)
