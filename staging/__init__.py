"""Pending candidates, the sessions they are offered to, and the text of an offer."""
