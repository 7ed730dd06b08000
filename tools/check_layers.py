#!/usr/bin/env python3
"""Says where the sources include what their layer may not use. No arguments; exit 1 on a violation.

The rules are tools/layers.txt. Checked are

  - every file below src/: its folder is a layer, and each #include "..." names its own layer, one
    its row allows, or a public header of such a layer;
  - every public header: it belongs to a layer, includes no private header, and only public headers
    its layer may use;
  - src/CMakeLists.txt: logwood_layer(... USES ...) says the same as the table.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]+)"|<(logwood/[^>]+)>)')


def read_rules(text: str) -> tuple[dict[str, list[str]], dict[str, str], list[str]]:
    """What each layer may use, the layer of each public header, and what is wrong with the table."""
    uses: dict[str, list[str]] = {}
    header_layer: dict[str, str] = {}
    wrong = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        row = re.fullmatch(r"(header\s+)?(\w+)\s*:\s*([\w\s]*)", line)
        words = row[3].split() if row else []
        if not row or (row[1] and len(words) != 1):
            wrong.append(f"tools/layers.txt:{number}: neither 'layer: layers' nor 'header name: layer'")
        elif unknown := [word for word in words if word not in uses]:
            wrong.append(f"tools/layers.txt:{number}: {unknown[0]} is not a layer above this line")
        elif row[2] in (header_layer if row[1] else uses):
            wrong.append(f"tools/layers.txt:{number}: {row[2]} is there already")
        elif row[1]:
            header_layer[row[2]] = words[0]
        else:
            uses[row[2]] = words
    return uses, header_layer, wrong


def sources(folder: str):
    return sorted(p for p in (ROOT / folder).rglob("*") if p.suffix in {".hpp", ".cpp", ".h", ".cc"})


def includes(path: Path):
    """(place, what is included) for every quoted include, and for <logwood/...>."""
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if found := INCLUDE.match(line):
            yield f"{path.relative_to(ROOT)}:{number}", found[1] or found[2]


def check_sources(uses: dict[str, list[str]], header_layer: dict[str, str]):
    for path in sources("src"):
        layer = path.relative_to(ROOT / "src").parts[0]
        if layer not in uses:
            yield f"{path.relative_to(ROOT)}: src/{layer} is not a layer of tools/layers.txt"
            continue
        for place, name in includes(path):
            first, _, rest = name.partition("/")
            if first == "logwood":
                target = header_layer.get(rest.removesuffix(".hpp"))
            else:
                target = first if first in uses and rest else None
            if target is None:
                yield f'{place}: "{name}" is no path from src/ or include/ into a known layer'
            elif target != layer and target not in uses[layer]:
                yield f'{place}: {layer} may not use {target} ("{name}")'


def check_public_headers(uses: dict[str, list[str]], header_layer: dict[str, str]):
    present = set()
    for path in sources("include/logwood"):
        present.add(path.stem)
        layer = header_layer.get(path.stem)
        if layer is None:
            yield f"{path.relative_to(ROOT)}: add 'header {path.stem}: <layer>' to tools/layers.txt"
            continue
        for place, name in includes(path):
            if not name.startswith("logwood/"):
                yield f'{place}: a public header may not include the private "{name}"'
                continue
            target = header_layer.get(name.removeprefix("logwood/").removesuffix(".hpp"))
            if target is None:
                yield f'{place}: "{name}" has no layer in tools/layers.txt'
            elif target != layer and target not in uses[layer]:
                yield f'{place}: {layer} may not use {target} ("{name}")'
    for name in sorted(header_layer.keys() - present):
        yield f"tools/layers.txt: header {name}: include/logwood/{name}.hpp does not exist"


def check_build(uses: dict[str, list[str]]):
    text = re.sub(r"#.*", "", (ROOT / "src/CMakeLists.txt").read_text())
    built = {}
    for call in re.findall(r"logwood_layer\(([^)]*)\)", text):
        name, *words = call.split()
        used = words[words.index("USES") + 1:] if "USES" in words else []
        built[name] = used[:used.index("LIBRARIES")] if "LIBRARIES" in used else used
    if list(built) != list(uses):
        yield f"src/CMakeLists.txt declares {' '.join(built)}; tools/layers.txt has {' '.join(uses)}"
    for name in built.keys() & uses.keys():
        if built[name] != uses[name]:
            yield (f"src/CMakeLists.txt: {name} USES {' '.join(built[name]) or 'nothing'}; "
                   f"tools/layers.txt has {' '.join(uses[name]) or 'nothing'}")


def main() -> int:
    uses, header_layer, violations = read_rules((ROOT / "tools/layers.txt").read_text())
    violations += check_sources(uses, header_layer)
    violations += check_public_headers(uses, header_layer)
    violations += check_build(uses)
    for violation in violations:
        print(violation)
    if not violations:
        print(f"{len(sources('src'))} sources and {len(header_layer)} public headers keep to {len(uses)} layers")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
