"""Processes, threads and machines that run work. This package knows nothing about Minesweeper.

- `worker.Worker`: one process that answers questions, one after the other.
- `pool.Pool`: several workers for a server, shared fairly between its clients.
- `batch`: chunks of work in this process (`Here`) or in several (`Processes`).
- `cluster.Cluster`: the same on many machines.
"""
