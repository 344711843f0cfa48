/** A key that nobody else has made. `crypto.randomUUID` is missing on pages without HTTPS. */
export const createKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
