"""The files of the project: what is tracked and what is about to be, never what is built."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77  # ctest shows the check as skipped, with what it printed


def project_files(*suffixes: str) -> list[Path]:
    """Existing files with one of the suffixes (all without any), relative to the root, sorted."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT, capture_output=True, text=True)
    if listed.returncode == 0:
        names = [Path(name) for name in listed.stdout.split("\0") if name]
    else:  # a source archive has no git
        names = [p.relative_to(ROOT) for p in ROOT.rglob("*")
                 if p.relative_to(ROOT).parts[0] not in {"build", ".git"}]
    return sorted({name for name in names
                   if (ROOT / name).is_file() and (not suffixes or name.suffix in suffixes)})


def finish(violations: list[str], summary: str) -> None:
    """Prints what was found, or the summary, and ends the check."""
    print("\n".join(violations) if violations else summary)
    sys.exit(1 if violations else 0)
