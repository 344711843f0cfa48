/** Waits for an answer, and throws if it comes too late, except when it has arrived while this process was busy with something else. */
export async function within<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const giveUp = () => reject(new Error('The answer came too late.'));
    timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), timeoutMs);
  });
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
