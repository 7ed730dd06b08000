"""The files of tests/vectors, and the worked example of docs/format.md, are what the oracle says today."""

import subprocess
import sys

from project_files import ROOT

made = subprocess.run([sys.executable, str(ROOT / "tests/oracle/make_vectors.py"), "--check"], check=False)
sys.exit(made.returncode)
