"""Every C++ file is formatted as .clang-format says."""

import re
import shutil
import subprocess
import sys

from project_files import ROOT, finish, project_files

files = project_files(".hpp", ".cpp")
if not shutil.which("clang-format-19"):
    sys.exit("clang-format-19 is missing: run tools/install-deps")
checked = subprocess.run(["clang-format-19", "--dry-run", "-Werror", *map(str, files)],
                         cwd=ROOT, capture_output=True, text=True)
wrong = []
if checked.returncode:
    named = sorted(set(re.findall(r"^([^\s:]+):\d+:\d+: error", checked.stderr, re.M)))
    wrong = [checked.stderr, "to repair: clang-format-19 -i " + " ".join(named)]
finish(wrong, f"{len(files)} files formatted")
