"""Inference from an observation: knowledge bases, search and exact counts.

This package does not choose moves.
"""
