"""The tour in README.md is the program examples/tour.cpp, which is compiled and run.

README.md: the first ```cpp block after a line `<!-- examples/tour.cpp -->`.
examples/tour.cpp: what stands between the lines `// tour: begin` and `// tour: end`, less its indentation.
"""

import difflib
import re
import sys
import textwrap

from project_files import ROOT, SKIPPED, finish

readme, example = ROOT / "README.md", ROOT / "examples/tour.cpp"
if not readme.exists():
    print("no README.md yet: nothing to compare")
    sys.exit(SKIPPED)

shown = re.search(r"<!-- examples/tour\.cpp -->\s*```cpp\n(.*?)^```", readme.read_text(), re.S | re.M)
compiled = re.search(r"^\s*// tour: begin\n(.*?)^\s*// tour: end$",
                     example.read_text() if example.exists() else "", re.S | re.M)
missing = []
if not shown:
    missing.append("README.md has no ```cpp block after <!-- examples/tour.cpp -->")
if not compiled:
    missing.append("examples/tour.cpp has no part between // tour: begin and // tour: end")
if missing:
    finish(missing, "")

expected = textwrap.dedent(compiled[1]).strip("\n").splitlines()
finish(list(difflib.unified_diff(expected, shown[1].strip("\n").splitlines(),
                                 "examples/tour.cpp", "README.md", lineterm="")),
       f"the tour in README.md is examples/tour.cpp, {len(expected)} lines")
