"""The protocol of the page: commands to sessions, questions to advice. JSON in, JSON out.

Nothing here needs a socket, a process, a thread or a file: a transport carries the messages,
a store keeps what is to be kept, and whoever runs the questions is handed in.
`docs/protocol.md` has the messages.
"""

from mineproof.service.page import Page
from mineproof.service.resources import Storage, Workers
from mineproof.service.service import Service

__all__ = ["Page", "Service", "Storage", "Workers"]
