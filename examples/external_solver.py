"""Compare a solver in any language with `basic`. The solver here needs no library."""

import sys
from pathlib import Path

import mineproof

program = Path(__file__).parent / "engines" / "simple.py"
solver = f'engine:"{sys.executable}" "{program}"'
print(mineproof.compare("basic", solver, "beginner", count=100))
