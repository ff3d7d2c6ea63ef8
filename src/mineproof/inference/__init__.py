"""Inference from an observation: knowledge bases, search and exact counts. It chooses no moves."""
