"""include/logwood speaks C++ and logwood only, and stays short enough for one sitting."""

import re

from project_files import ROOT, finish

LINE_LIMIT = 2000
STANDARD = set("""
algorithm any array atomic barrier bit bitset cassert cctype cerrno charconv chrono cinttypes climits
cmath compare complex concepts condition_variable coroutine cstddef cstdint cstdio cstdlib cstring ctime
deque exception execution filesystem forward_list fstream functional future initializer_list iomanip ios
iosfwd iostream istream iterator latch limits list locale map memory memory_resource mutex new numbers
numeric optional ostream queue random ranges ratio regex scoped_allocator semaphore set shared_mutex
source_location span sstream stack stdexcept stop_token streambuf string string_view system_error thread
tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector version
""".split())
# Names that give a library away even where its header is not included (forward declarations).
FOREIGN = re.compile(r"\b(simdjson|fmt|boost|absl|nlohmann|testing|rc)::|\b(EVP|SHA256|SSL|OPENSSL|sqlite3|ZSTD)_|\bisal\b")

violations = []
total = 0
for path in sorted((ROOT / "include/logwood").rglob("*")):
    if not path.is_file():
        continue
    lines = path.read_text().splitlines()
    total += len(lines)
    for number, line in enumerate(lines, 1):
        where = f"{path.relative_to(ROOT)}:{number}"
        code = line.split("//")[0]
        if included := re.match(r'\s*#\s*include\s*(.*)', code):
            name = included[1].strip()
            if name.strip("<>") not in STANDARD and not re.fullmatch(r'"logwood/\w+\.hpp"', name):
                violations.append(f"{where}: {name} is neither of the standard library nor of logwood")
        opened = re.match(r"\s*(?:inline\s+)?namespace\s+(\w+)", code)
        if opened and opened[1] not in {"logwood", "std"}:
            violations.append(f"{where}: opens namespace {opened[1]}")
        if foreign := FOREIGN.search(code):
            violations.append(f"{where}: names another library: {foreign[0]}")
if total >= LINE_LIMIT:
    violations.append(f"include/logwood has {total} lines; keep it below {LINE_LIMIT}, what one can read in a sitting")
finish(violations, f"{total} public lines of at most {LINE_LIMIT - 1}")
