"""The texts of vectors/json.json and vectors/ids.json, each with its verdict.

A JSON case is (name, bytes, fault, flags). Fault None: accepted.
"""

JSON_CASES = []


def _take(fault, prefix, texts, **flags):
    for name, text in texts.items():
        JSON_CASES.append(("%s: %s" % (prefix, name), text, fault, flags))


def _nested(opening, closing, depth, inside=b""):
    return opening * depth + inside + closing * depth


_take(None, "value", {
    "empty object": b"{}", "empty array": b"[]", "true": b"true", "false": b"false",
    "null": b"null", "string": b'"a"', "number": b"7", "member": b'{"a":1}',
    "members": b'{"a":1,"b":[true,false,null]}', "empty name": b'{"":0}',
    "duplicate names": b'{"a":1,"a":2}', "duplicate names, one escaped": b'{"a":1,"\\u0061":2}',
    "nested empties": b'{"a":[],"b":{},"c":[{}]}', "name like a word": b'{"true":null}',
    "spaces and tabs": b' \t{ "a"\t: [ 1 ,\t2 ] } ', "no space at all": b'[1,"a",{"b":null}]',
    "looks like a seal": b'{"seal":"1+.1.1/1.x"}'})
_take(None, "line break", {
    "LF after brace": b'{\n"a":1}', "CR after comma": b'{"a":1,\r"b":2}',
    "CR LF before colon": b'{"a"\r\n:1}', "LF at the end": b'{"a":1}\n', "LF in front": b"\n[]",
    "LF in an array": b"[1\n,2]", "only around a word": b"\rtrue\r"}, newline=True)
_take(None, "number", {
    "zero": b"0", "minus zero": b"-0", "negative": b"-12", "fraction": b"1.5",
    "fraction of zero": b"0.10", "minus zero fraction": b"-0.0", "exponent": b"1e5",
    "signed exponent": b"1E+05", "negative exponent": b"2e-7", "all parts": b"-12.50E-07",
    "beyond a double": b"1e999", "beyond a double, negative": b"-1e400",
    "below a double": b"1e-999",
    "thirty digits": b"123456789012345678901234567890",
    "long fraction": b"0." + b"1" * 400, "five thousand digits": b"9" * 5000,
    "exponent of leading zeros": b"1e0009", "in an array": b"[0,-0,1.0]"})
_take("syntax", "number", {
    "leading zero": b"01", "negative leading zero": b"-01", "two zeros": b"00",
    "ends with a point": b"1.", "starts with a point": b".5", "point then exponent": b"1.e3",
    "two points": b"1.2.3", "empty exponent": b"1e", "exponent sign only": b"1e+",
    "exponent with a point": b"1e1.5", "plus": b"+1", "minus only": b"-", "two minuses": b"--1",
    "minus space": b"- 1", "hex": b"0x10", "underscore": b"1_000", "comma": b"1,000",
    "NaN": b"NaN", "Infinity": b"Infinity", "minus Infinity": b"-Infinity", "letter after": b"1a",
    "full-width digit": "１".encode(), "arabic digit": "[٣]".encode(), "suffix": b"10n"})
_take(None, "string", {
    "empty": b'""', "every short escape": b'"\\"\\\\\\/\\b\\f\\n\\r\\t"', "solidus": b'"/"',
    "escaped NUL": b'"\\u0000"', "hex of both cases": b'"\\uAbCd\\u00e9"',
    "surrogate pair": b'"\\ud83d\\ude42"', "lone high surrogate": b'"\\ud800"',
    "lone low surrogate": b'"\\udc00"', "surrogates the wrong way round": b'"\\ude42\\ud83d"',
    "high surrogate before a letter": b'"\\ud83dx"', "DEL": b'"\x7f"',
    "two bytes": "\"é\"".encode(), "three bytes": "\"日本\"".encode(),
    "four bytes": "\"🙂\"".encode(), "U+2028 and U+2029": "\"\u2028\u2029\"".encode(),
    "U+FEFF inside": "\"\ufeff\"".encode(), "noncharacters": "\"\ufffe\uffff\ufdd0\"".encode(),
    "U+10FFFF": "\"\U0010ffff\"".encode(), "U+0080": "\"\x80\"".encode(),
    "backslashes before the quote": b'"\\\\\\\\"', "seven and eight plain bytes": b'["1234567",'
    b'"12345678","123456789"]',
    "escape at every place": b'["\\n1234567","1\\n234567","12345678\\n"]',
    "long": b'"' + b"x" * 3000 + b'"', "escaped name": b'{"\\u0061":1}'})
_take("syntax", "string", {
    "open": b'"abc', "only a quote": b'"', "open after backslash": b'"abc\\',
    "open after \\u": b'"\\u',
    "escaped end": b'"abc\\"', "single quotes": b"'a'", "unknown escape v": b'"\\v"',
    "unknown escape x": b'"\\x41"', "unknown escape 0": b'"\\0"',
    "unknown escape quote": b"\"\\'\"",
    "upper-case U": b'"\\U0041"', "three hex digits": b'"\\u004"',
    "three and a letter": b'"\\u004g"',
    "escaped line break": b'"a\\\nb"', "braced escape": b'"\\u{41}"', "spaced hex": b'"\\u 041"',
    "unquoted": b"abc", "two in a row": b'"a""b"', "escaped NUL byte": b'"\\\x00"'})
for _code in range(0x20):
    _take("syntax",
    "raw control in a string", {"0x%02x" % _code: b'{"a":"x' + bytes([_code]) + b'y"}'})
_take("syntax", "raw control between tokens", {
    "NUL": b'{\x00"a":1}', "vertical tab": b"[1,\x0b2]", "form feed": b"[\x0c]",
    "NUL at the end": b"{}\x00",
    "DEL": b"[\x7f]", "ESC": b"\x1b[]"})
_take("syntax", "space", {
    "no-break space": "[\u00a0]".encode(), "U+2028 between tokens": "[\u2028]".encode(),
    "byte order mark": b"\xef\xbb\xbf{}", "byte order mark only": b"\xef\xbb\xbf",
    "ideographic space": "[\u3000]".encode()})
_take("syntax", "structure", {
    "nothing": b"", "only spaces": b"  ", "only LF": b"\n", "trailing comma in object": b'{"a":1,}',
    "trailing comma in array": b"[1,]", "leading comma": b"[,1]", "two commas": b"[1,,2]",
    "only a comma": b"[,]", "comma in empty object": b"{,}", "no comma": b"[1 2]",
    "no comma in object": b'{"a":1 "b":2}', "no colon": b'{"a" 1}', "two colons": b'{"a"::1}',
    "no value": b'{"a":}', "name only": b'{"a"}', "value only": b"{1}", "number as name": b"{1:2}",
    "word as name": b"{null:1}", "unquoted name": b"{a:1}", "single-quoted name": b"{'a':1}",
    "open object": b"{", "open array": b"[", "open after member": b'{"a":1',
    "open after comma": b"[1,",
    "open after colon": b'{"a":', "only a closing brace": b"}", "only a closing bracket": b"]",
    "closed twice": b"{}}", "array closed as object": b"[}", "object closed as array": b'{"a":1]',
    "two values": b"{}{}", "two values with space": b"1 2", "value after LF": b"{}\n{}",
    "text after": b"{}x", "colon in array": b'["a":1]', "line comment": b"{} // x",
    "block comment": b"[/* */]", "hash comment": b"# x\n{}", "upper-case word": b"True",
    "NULL": b"NULL", "cut word": b"tru", "long word": b"truee", "nul": b"nul",
    "undefined": b"undefined",
    "ellipsis": b"[...]", "percent": b"%"})
_take("utf8", "not UTF-8", {
    "0xff": b'"\xff"', "0xfe": b'"\xfe"', "lone continuation": b'"\x80"', "0xc0": b'"\xc0\x80"',
    "overlong slash": b'"\xc1\xaf"', "overlong, three bytes": b'"\xe0\x80\xaf"',
    "overlong, three bytes, highest": b'"\xe0\x9f\xbf"',
    "overlong, four bytes": b'"\xf0\x80\x80\xaf"',
    "overlong, four bytes, highest": b'"\xf0\x8f\xbf\xbf"', "surrogate U+D800": b'"\xed\xa0\x80"',
    "surrogate U+DFFF": b'"\xed\xbf\xbf"',
    "surrogate pair as six bytes": b'"\xed\xa0\xbd\xed\xb9\x82"',
    "above U+10FFFF": b'"\xf4\x90\x80\x80"', "0xf5": b'"\xf5\x80\x80\x80"',
    "two bytes, cut": b'"\xc3"', "three bytes, cut": b'"\xe6\x97"',
    "four bytes, cut": b'"\xf0\x9f\x99"',
    "cut at the end of the text": b'"\xe6', "Latin-1": b'{"a":"n\xe4h"}',
    "in a name": b'{"\xff":1}',
    "between tokens": b"{} \xff", "UTF-16": '{"a":1}'.encode("utf-16")})
_take(None, "depth", {
    "128 arrays": _nested(b"[", b"]", 128), "128 objects": _nested(b'{"a":', b"}", 127, b"{}"),
    "128, mixed": _nested(b'[{"a":', b"}]", 64, b"0"),
    "128 with a scalar": _nested(b"[", b"]", 128, b"1"),
    "128 twice": b"[" + _nested(b"[", b"]", 127) + b"," + _nested(b"[", b"]", 127) + b"]",
    "brackets in a string": b'["' + b"[" * 500 + b'"]'})
_take("depth", "depth", {
    "129 arrays": _nested(b"[", b"]", 129), "129 objects": _nested(b'{"a":', b"}", 128, b"{}"),
    "129, mixed": _nested(b'[{"a":', b"}]", 64, b"[]"), "129 in an object": b'{"a":' + _nested(
        b"[", b"]", 128) + b"}", "10,000 open brackets": b"[" * 10000})

ID_CASES = [(text, True, why) for text, why in (
    (b"a", "one letter"), (b"Z", "one upper-case letter"), (b"0", "one digit"), (b"a-",
    "ends with -"),
    (b"a_", "ends with _"), (b"A9-_z", "every kind of character"), (b"0" * 99, "99 characters"),
    (b"0198c3a1-7d2e-7c4b-9f00-5a1d6e2b7c10", "a UUID"), (b"null", "a word"), (b"con",
    "a device name"),
    (b"a--__--a", "runs"))] + [(text, False, why) for text, why in (
        (b"", "empty"), (b"a" * 100, "100 characters"), (b"-a", "starts with -"), (b"_a",
        "starts with _"),
        (b".", "a dot"), (b"..", "two dots"), (b"a.b", "a dot inside"), (b"a.jsonl", "a file name"),
        (b"a/b", "a slash"), (b"/a", "starts with a slash"), (b"a\\b", "a backslash"), (b"../a",
        "a path"),
        (b"a b", "a space"), (b" a", "starts with a space"), (b"a ", "ends with a space"),
        (b"a\n", "ends with LF"), (b"a\x00", "ends with NUL"), (b"a\x00b", "NUL inside"), (b"a\t",
        "a tab"),
        (b"a:b", "a colon"), (b"a+b", "a plus"), (b"a%2f", "a percent"), (b"a~", "a tilde"),
        (b'a"', "a quote"), (b"a\x7f", "DEL"), ("é".encode(), "not ASCII"), ("aé".encode(),
        "ends not in ASCII"),
        ("ａ".encode(), "full-width letter"), (b"a\xff", "not UTF-8"), (b"\xef\xbb\xbfa",
        "byte order mark"),
        (b"a=", "an equals sign"), (b"a@b", "an at sign"), (b"*", "a star"), (b"a,b", "a comma"))]
