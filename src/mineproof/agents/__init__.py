"""Agents: who decides what to do. One short file for each; `registry` finds them."""
