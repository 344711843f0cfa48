/** Without the byte order mark that some clients begin with. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

/** Texts and numbers, of what is known to be JSON. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

const plain = /^(0|-?[1-9]\d*)$/;

/** Read as a number that is none. */
const none = '1e999';

/**
 * The same JSON, in which a whole number is only what is written in plain digits. `JSON.parse` tells 1E2, 1.0 and -0 from
 * 100, 1 and 0 no more; here they become what is no number, which every check refuses. Not for where fractions are sent.
 */
export const withPlainNumbers = (json: string): string =>
  json.replace(tokens, (token) =>
    token.startsWith('"') || plain.test(token) || !Number.isInteger(Number(token)) ? token : none,
  );
