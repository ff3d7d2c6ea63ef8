"""Where work runs, and nothing of ours.

- `worker.Worker`: one process that answers questions, one after the other.
- `pool.Pool`: some of them for a server, shared fairly between those who ask.
- `batch`: chunks of work in this process (`Here`) or in several (`Processes`).
- `cluster.Cluster`: the same on many machines.
"""
