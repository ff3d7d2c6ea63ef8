"""The protocol of the page: JSON messages in, JSON messages out.

Commands go to sessions and questions go to `mineproof.advice`. The front end passes in the
transport, the store and the workers, so this package opens no sockets or files and starts no
processes. `docs/protocol.md` lists the messages.
"""

from mineproof.service.page import Page
from mineproof.service.resources import Workers
from mineproof.service.service import Service
from mineproof.session.storage import Storage

__all__ = ["Page", "Service", "Storage", "Workers"]
