// One question to an agent's own code: the answer is one line of JSON, and what it throws is {error} and exit
// status 1.
export async function answer(commands, command, given) {
  try {
    if (!commands[command]) throw new Error(`no such command: ${command}`);
    if (given.length !== commands[command].length)
      throw new Error(`${command} takes ${commands[command].length} arguments`);
    console.log(JSON.stringify(await commands[command](...given)));
  } catch (error) {
    console.log(JSON.stringify({ error: error.message }));
    process.exitCode = 1;
  }
}
