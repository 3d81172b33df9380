"""Scans of many session logs on one machine or a cluster, and the report on their results."""
