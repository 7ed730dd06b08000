"""Every relative link in the documents leads to a file, and its #part to a heading."""

import re
from pathlib import Path

from project_files import ROOT, finish, project_files

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^()\s>]+)>?[^)]*\)")


def prose_lines(path: Path):
    """Numbered lines outside fenced blocks, inline code blanked out."""
    fence = None
    for number, line in enumerate((ROOT / path).read_text().splitlines(), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark and fence is None:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = None
        elif fence is None:
            yield number, line


def anchors(path: Path) -> set[str]:
    """Heading names as the usual renderers spell them."""
    found: dict[str, int] = {}
    result = set()
    for _, line in prose_lines(path):
        if heading := re.match(r"#{1,6}\s+(.*?)\s*#*$", line):
            name = re.sub(r"[^\w\- ]", "", heading[1].lower()).replace(" ", "-")
            result.add(f"{name}-{found[name]}" if name in found else name)
            found[name] = found.get(name, 0) + 1
        result.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
    return result


violations = []
checked = 0
for document in project_files(".md"):
    for number, line in prose_lines(document):
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue  # another site: not ours to keep
            checked += 1
            name, _, part = target.partition("#")
            goal = (ROOT / document.parent / name).resolve() if name else ROOT / document
            if not goal.exists():
                violations.append(f"{document}:{number}: {target} does not exist")
            elif ROOT not in goal.parents and goal != ROOT:
                violations.append(f"{document}:{number}: {target} leaves the project")
            elif part and goal.suffix == ".md" and part not in anchors(goal.relative_to(ROOT)):
                violations.append(f"{document}:{number}: {name or document.name} has no heading #{part}")
finish(violations, f"{checked} links lead somewhere")
