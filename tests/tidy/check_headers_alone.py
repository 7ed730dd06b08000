"""Every public header compiles alone, and twice: it includes what it uses and guards itself."""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from project_files import ROOT, finish

FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror",
         "-fsyntax-only", "-I", "include", "-x", "c++", "-"]
headers = sorted(p.name for p in (ROOT / "include/logwood").glob("*.hpp"))
compilers = [c for c in ("g++", "clang++-19") if shutil.which(c)]
if not compilers:
    sys.exit("neither g++ nor clang++-19 is installed: run tools/install-deps")


def compile_alone(job: tuple[str, str]) -> str:
    compiler, header = job
    done = subprocess.run([compiler, *FLAGS], cwd=ROOT, capture_output=True, text=True,
                          input=f'#include "logwood/{header}"\n' * 2)
    return f"{header} does not compile alone:\n{done.stderr}" if done.returncode else ""


with ThreadPoolExecutor(2) as pool:
    failed = list(filter(None, pool.map(compile_alone, [(c, h) for c in compilers for h in headers])))
finish(failed, f"{len(headers)} headers compile alone with {' and '.join(compilers)}")
