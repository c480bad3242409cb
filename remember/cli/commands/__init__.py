"""One module a command: `SPEC`, its declaration, and the function that runs it."""
