"""Every file and folder is named after a subject: none is a drawer for whatever is left over."""

import re

from project_files import finish, project_files

SUBJECTLESS = {"util", "utils", "utility", "utilities", "common", "helper", "helpers", "misc"}

violations = []
files = project_files()
for path in files:
    for part in path.parts:
        word = SUBJECTLESS.intersection(re.split(r"[^a-z]+", part.lower()))
        if word:
            violations.append(f"{path}: {word.pop()!r} says nothing about what it is for")
finish(violations, f"{len(files)} names")
