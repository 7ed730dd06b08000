"""Bytes told as parts to repeat, so that vectors with long strings stay small:
[{"hex": the bytes, "times": how often, 1 if left out}, ...]."""

_UNIT_MAX = 16
_TIMES_MIN = 64  # below that, repeating is not worth a part


def expand(parts):
    return b"".join(bytes.fromhex(part["hex"]) * part.get("times", 1) for part in parts)


def _times(data, at, unit):
    """How often `unit` follows itself from `at` on."""
    end = at
    for step in (unit * 1024, unit):
        while data.startswith(step, end):
            end += len(step)
    return (end - at) // len(unit)


def parts_of(data):
    parts, plain, at = [], 0, 0
    while at < len(data):
        units = (data[at:at + size] for size in range(1, _UNIT_MAX + 1))
        unit = next((u for u in units if data.startswith(u * _TIMES_MIN, at)), None)
        if unit is None:
            at += 1
            continue
        if plain < at:
            parts.append({"hex": data[plain:at].hex()})
        times = _times(data, at, unit)
        parts.append({"hex": unit.hex(), "times": times})
        at = plain = at + times * len(unit)
    return parts + ([{"hex": data[plain:].hex()}] if plain < len(data) else [])
