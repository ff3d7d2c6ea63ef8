"""Inference from an observation: knowledge bases, search and exact counts.

It does not choose moves.
"""
