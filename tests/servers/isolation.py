#!/usr/bin/env python3
"""What one tenant can do with another one's sessions: nothing.

    isolation.py LOGWOOD STATEMENTS      within postgres.py run

Two tenants, acme and other, each with a role of its own. As acme's role:

- every statement of the program (STATEMENTS prints them) is carried out with the ids, keys and words of
  the other tenant: with its number given and in force, and with its number given while one's own is in
  force. It returns no row, or is refused, and changes none;
- every operation of the program is tried with the ids, keys and words of the other tenant.

Afterwards the other tenant's rows are compared, byte for byte, with what they were.
"""
import functools
import json
import os
import subprocess
import sys

SUPER = os.environ["LOGWOOD_TEST_POSTGRES_SUPER"]
OWNER = os.environ["LOGWOOD_TEST_POSTGRES_OWNER"]
PROGRAM = os.environ["LOGWOOD_TEST_POSTGRES"]
# A lock is a row without content; when a refresh begins is told by the clock and the transactions of the server.
OF_THE_SERVER = ("lock_key", "begin_refresh")
SECRET = "quicksilver"
KEY = "other:web:olga"


class Broken(Exception):
    """Something was seen, or changed."""


def psql(url, text):
    done = subprocess.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", url], input=text, capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def sql(text):
    code, out, err = psql(SUPER, text)
    if code:
        raise Broken(f"{text}: {err}")
    return out.strip()


@functools.cache
def tables():
    return sql("select c.table_name from information_schema.columns c where c.table_schema = 'logwood' "
               "and c.column_name = 'tenant' and c.table_name not in ('tenants', 'admissions') "
               "order by 1").split()


def rows_of(tenant):
    """A hash of every row that the tenant has anywhere."""
    return sql(" union all ".join(
        f"select '{name}', count(*), md5(coalesce(string_agg(t::text, '|' order by t::text), '')) "
        f"from logwood.{name} t where tenant = {tenant}" for name in tables()))


def run(program, store, *words, given=None):
    return subprocess.run([program, *words, "--store", store], capture_output=True, text=True, check=False,
                          input=given, timeout=60, env={**os.environ, "HOME": "/nonexistent"})


def must(done):
    if done.returncode:
        raise Broken(f"{done.args}: {done.stderr}")
    return done.stdout


def literal(kind, place, other):
    """A value of a parameter that means something to the other tenant."""
    kind = kind.strip('"')
    if kind == "integer":
        return str(other["tenant"]) if place == 0 else "1"
    if kind == "bigint":
        return str(other["session"])
    if kind == "boolean":
        return "true"
    if kind == "bytea":
        return f"'{KEY}'::bytea"
    if kind == "text[]":
        return f"array['{other['entry']}', '{other['id']}']"
    if kind == "bytea[]":
        return f"array['{KEY}'::bytea, 'x'::bytea]"
    if kind == "bigint[]":
        return f"array[{other['session']}, {other['session']}]"
    if kind == "boolean[]":
        return "array[false, false]"
    if kind == "tsquery":
        return f"'{SECRET}'::tsquery"
    if kind == "tsvector":
        return f"'{SECRET}'::tsvector"
    if kind == "tsvector[]":
        return f"array['{SECRET}'::tsvector, ''::tsvector]"
    if kind in ("timestamp with time zone",):
        return "clock_timestamp() - interval '1 day'"
    if kind == "text":
        # An id where one is meant; behind every id where a page begins.
        return f"'{other['id']}'"
    raise Broken(f"no value for a parameter of the type {kind}")


def try_statement(statement, in_force, other):
    """Carries it out as acme's role. Whatever it changes is rolled back by nobody: it must change nothing."""
    settings = f"set logwood.tenant = '{in_force}';\n"
    code, out, err = psql(PROGRAM, settings + f"prepare s as {statement['sql']};\n"
                          "select unnest(parameter_types)::text from pg_prepared_statements where name = 's';")
    if code:
        raise Broken(f"{statement['name']} cannot be prepared: {err}")
    kinds = out.split("\n")[:-1]
    values = ", ".join(literal(kind, place, other) for place, kind in enumerate(kinds))
    code, out, err = psql(PROGRAM, settings + f"prepare s as {statement['sql']};\nexecute s ({values});")
    seen = out.replace("|", "").replace("f", "").replace("0", "").replace("t", "").strip()
    # Counts of nothing are zero.
    if code == 0 and seen and statement["name"] not in OF_THE_SERVER:
        raise Broken(f"{statement['name']} with tenant {in_force} in force returned: {out[:200]}")
    return "refused" if code else "nothing"


def main():
    program, printer = sys.argv[1:3]
    for name, role in (("acme", "logwood_program"), ("other", "")):
        must(run(program, OWNER, "tenant", "add", name, *(["--role", role] if role else [])))
    theirs = OWNER + "?tenant=other"
    ours = PROGRAM + "?tenant=acme"
    must(run(program, theirs, "new", "--id", "shared-id", "--key", KEY))
    must(run(program, theirs, "append", "shared-id", "--user", f"the {SECRET} of olga " + "x" * 70_000))
    must(run(program, theirs, "new", "--id", "removed-id", "--key", KEY))
    must(run(program, theirs, "append", "removed-id", "--user", f"more {SECRET}"))
    must(run(program, theirs, "rm", "removed-id"))
    must(run(program, theirs, "search", SECRET))
    must(run(program, ours, "new", "--id", "own-id", "--key", "acme:web:me"))
    must(run(program, ours, "append", "own-id", "--user", "ours"))
    must(run(program, ours, "search", "ours"))

    other = {"tenant": int(sql("select tenant from logwood.tenants where name = 'other'")),
             "id": "shared-id"}
    mine = int(sql("select tenant from logwood.tenants where name = 'acme'"))
    other["session"] = int(sql(f"select session from logwood.sessions where tenant = {other['tenant']} "
                               "and id = 'shared-id'"))
    other["entry"] = sql(f"select id from logwood.entries where tenant = {other['tenant']} "
                         f"and session = {other['session']} and seq = 2")
    before = rows_of(other["tenant"])

    statements = [json.loads(line) for line in must(subprocess.run(
        [printer], capture_output=True, text=True, check=False)).splitlines()]
    outcomes = {"refused": 0, "nothing": 0}
    for statement in statements:
        for in_force in (other["tenant"], mine, ""):
            outcomes[try_statement(statement, in_force, other)] += 1
            if rows_of(other["tenant"]) != before:
                raise Broken(f"{statement['name']} with tenant {in_force!r} in force changed something")

    operations = [
        ("show", "shared-id"), ("show", "shared-id", "--raw"), ("tree", "shared-id"), ("status", "shared-id"),
        ("context", "shared-id"), ("head", "shared-id"), ("head", "shared-id", other["entry"]),
        ("fork", "shared-id"), ("label", "shared-id", "here"), ("redact", "shared-id", other["entry"]),
        ("erase", "shared-id", other["entry"], "--yes"), ("erase", "--subject", KEY, "--yes", "--ledger", "/dev/null"),
        ("rm", "shared-id"), ("rm", "removed-id", "--undo"), ("archive", "shared-id"), ("verify", "shared-id"),
        ("append", "shared-id", "--user", "hello"), ("export", "shared-id", "-o", "-"),
        ("set", "shared-id", "--title", "mine"), ("search", SECRET), ("search", f"key:{KEY}"),
        ("ls", "-a"), ("ls", "--key", KEY), ("stats",), ("diff", "shared-id", other["entry"]), ("doctor",),
        ("migrate", "shared-id"), ("follow", "shared-id"), ("copy", ours, PROGRAM + "?tenant=other"), ("tenant", "ls"),
        ("tenant", "rm", "other", "--yes"), ("tenant", "add", "third"),
    ]
    for words in operations:
        store = PROGRAM if words[0] == "tenant" else ours
        done = run(program, store, *words)
        seen = done.stdout + done.stderr
        for told in (SECRET, "olga", other["entry"]):
            if told in seen and told not in words and not (told == "olga" and KEY in words):
                raise Broken(f"{words} told {told}: {seen[:300]}")
        if rows_of(other["tenant"]) != before:
            raise Broken(f"{words} changed something")
    # As a tenant that this role does not work for.
    for name in ("other", "nobody"):
        done = run(program, PROGRAM + f"?tenant={name}", "ls", "-a")
        if done.returncode != 3:
            raise Broken(f"tenant {name} opened: {done.returncode} {done.stdout}{done.stderr}")
    # The same id is free in the other tenant.
    must(run(program, ours, "new", "--id", "shared-id"))
    must(run(program, ours, "rm", "shared-id"))
    print(f"isolation: {len(statements)} statements in {sum(outcomes.values())} ways, {outcomes['refused']} refused "
          f"and {outcomes['nothing']} without effect; {len(operations)} operations; nothing seen, nothing changed")


if __name__ == "__main__":
    try:
        main()
    except Broken as broken:
        print(f"isolation: BROKEN: {broken}")
        sys.exit(1)
