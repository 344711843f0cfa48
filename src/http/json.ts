/** Removes the byte order mark that some clients send first. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** Strings and numbers in a text that is known to be JSON. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

const plain = /^(0|-?[1-9]\d*)$/;

/** JSON.parse reads this as Infinity, which every schema refuses. */
const none = '1e999';

/**
 * Returns the JSON with every whole number that is not written in plain digits made invalid. `JSON.parse` cannot tell
 * 1E2, 1.0 and -0 from 100, 1 and 0; here they become a value that every check refuses. Must not be used for input that
 * allows fractions.
 */
export const withPlainNumbers = (json: string): string =>
  json.replace(tokens, (token) =>
    token.startsWith('"') || plain.test(token) || !Number.isInteger(Number(token)) ? token : none,
  );
