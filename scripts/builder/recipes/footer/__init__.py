"""Witnesses of the footer, row groups, column chunks, writers and the Thrift protocol."""
