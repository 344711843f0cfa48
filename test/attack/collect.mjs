/** Loaded into the attacked process before the service: a signal asks for a full garbage collection. SIGUSR2 would end the service. */
process.on('SIGWINCH', () => globalThis.gc?.());
