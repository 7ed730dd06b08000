"""How each verb is called when all is well. A verb without a row here fails the test."""
import dataclasses


@dataclasses.dataclass
class Call:
    """Words with {S} for a session."""
    words: list
    stdin: bytes = b""
    changes: bool = False   # the session it names, or makes one
    endless: bool = False   # ends with Ctrl-C only
    texts: tuple = ()       # options that take any text
    numbers: tuple = ()     # options that take a number
    files: tuple = ()       # options that take a file to read
    entry: bool = False     # the last word is an entry
    well: tuple = (0,)      # exit codes when all is well
    any_words: bool = False  # takes as many as it gets
    storeless: bool = False  # asks for no store
    needs_home: bool = False  # whatever the store is
    makes_store: bool = False  # where there is none
    is_data: bool = False  # prints what a program reads, as --json does

    @property
    def names_session(self):
        return "{S}" in self.words


CALLS = {
    "ls": [Call(["-a"], texts=("--key", "--agent", "--channel", "--peer-kind", "--tag"),
                numbers=("--limit", "--skip"))],
    "search": [Call(["word"], numbers=("--limit", "--skip"), any_words=True)],
    "stats": [Call([])],
    "set": [Call(["{S}", "--title", "x"], changes=True, texts=("--title", "--tags", "--cwd"))],
    "clean": [Call(["--older-than", "90d"]), Call(["--expired", "--yes"])],
    "doctor": [Call([], well=(0,))],
    "export": [Call(["{S}"], texts=("--format", "--output"), is_data=True), Call(["{S}", "--format", "markdown"])],
    "import": [Call(["-"], stdin=b'{"id":"x","type":"session_header","parentId":null,'
                    b'"timestamp":"2026-01-01T00:00:00.000Z","payload":{"version":0,"requires":[]}}\n',
                    changes=True, makes_store=True, any_words=True, texts=("--id", "--key"))],
    "completion": [Call(["bash"], storeless=True)],
    "help": [Call(["ls"], storeless=True)],
    "show": [Call(["{S}"], texts=("--tip",)), Call(["{S}", "--raw"]), Call(["{S}", "--step"])],
    "tree": [Call(["{S}"]), Call(["{S}", "--tips"])],
    "follow": [Call(["{S}"], endless=True, well=(130,))],
    "status": [Call(["{S}"])],
    "diff": [Call(["{S}", "e1", "~0"], entry=True)],
    "context": [Call(["{S}"], texts=("--tip",), numbers=("--max-tokens",)),
                Call(["{S}", "--for", "anthropic:claude-opus-5-5"], texts=("--from",), is_data=True)],
    "convert": [Call(["--from", "openai:x", "--to", "anthropic:y", "-"], storeless=True, is_data=True,
                     stdin=b'{"model":"x","messages":[{"role":"user","content":"hi"}]}')],
    "compat": [Call(["openai:x", "anthropic:y"], storeless=True)],
    "head": [Call(["{S}"]), Call(["{S}", "e1"], changes=True, entry=True, texts=("--expect",))],
    "fork": [Call(["{S}", "e1"], entry=True, changes=True, texts=("--id", "--key")),
             Call(["{S}", "e1", "--for", "gemini:x"], entry=True, changes=True, texts=("--from",))],
    "label": [Call(["{S}"]), Call(["{S}", "name", "e1"], changes=True, entry=True)],
    "redact": [Call(["{S}", "e1"], changes=True, entry=True, texts=("--pointer", "--reason"))],
    "erase": [Call(["{S}", "e1", "--yes"], changes=True, texts=("--reason",))],
    "rm": [Call(["{S}"], changes=True)],
    "archive": [Call(["{S}"], changes=True, any_words=True)],
    "continue": [Call(["{S}", "--in", "pi"], needs_home=True, texts=("--tip", "--in", "--cwd"))],
    "watch": [Call(["--once"], makes_store=True, numbers=("--every",))],
    "copy": [Call(["no-store", "none-either"], storeless=True, well=(3,), any_words=True)],
    "tenant": [Call(["ls"], storeless=True, well=(2,))],
    "verify": [Call(["{S}"], files=("--receipt",))],
    "migrate": [Call(["{S}"], changes=True)],
    "new": [Call([], changes=True, makes_store=True, texts=("--key", "--cwd", "--id"))],
    "append": [Call(["{S}"], stdin=b'{"type":"message","payload":{"role":"user","content":"x"}}\n',
                    changes=True, texts=("--user", "--expect-tail"))],
}
