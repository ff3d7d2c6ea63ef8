"""The desktop window: a session drawn with pygame-ce. It holds no rules of the game."""

import os

# All are read when pygame is imported or its first window opens: no advertisement on the
# terminal, a name for lists of windows, no click lost because it also gave the window the
# focus, and real pixels where the system would blow them up.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_VIDEO_X11_WMCLASS", "mineproof")
os.environ.setdefault("SDL_MOUSE_FOCUS_CLICKTHROUGH", "1")
os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
