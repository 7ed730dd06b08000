"""CRC-32C (Castagnoli), four bytes a step.

The state runs inverted between `begin` and `finish`, so that a checksum can be
taken at several places of one pass over a text.
"""
import struct

_POLYNOMIAL = 0x82F63B78


def _tables():
    one_byte = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (_POLYNOMIAL if value & 1 else 0)
        one_byte.append(value)
    # low[w]: what the 16 bits `w` do when nothing follows them in the step;
    # high_first[w]: what they do when 16 more bits of the step follow them.
    step = lambda state: one_byte[state & 255] ^ (state >> 8)
    low = [step(step(w)) for w in range(65536)]
    high_first = [step(step(state)) for state in low]
    return one_byte, low, high_first


_BYTE, _LAST_TWO, _FIRST_TWO = _tables()


def begin():
    return 0xFFFFFFFF


def update(state, data):
    whole = len(data) & ~3
    for word in struct.unpack("<%dI" % (whole >> 2), data[:whole]):
        state ^= word
        state = _FIRST_TWO[state & 0xFFFF] ^ _LAST_TWO[state >> 16]
    for byte in data[whole:]:
        state = _BYTE[(state ^ byte) & 255] ^ (state >> 8)
    return state


def finish(state):
    return state ^ 0xFFFFFFFF


def crc32c(data):
    return finish(update(begin(), data))


assert crc32c(b"123456789") == 0xE3069283
