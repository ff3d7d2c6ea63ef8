"""The old module of `Bounds`, which is now in `core.clues`. Version 0.4 will remove it."""

import warnings

from mineproof.core.clues import Bounds

__all__ = ["Bounds"]

_TEXT = "import Bounds from mineproof.core.clues: mineproof.inference.bounds will be removed in 0.4"
warnings.warn(_TEXT, DeprecationWarning, stacklevel=2)
