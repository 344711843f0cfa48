import { credentialScopes, parseCredentialScopes } from '../config/credential-scopes.ts';
import { limits } from '../config/limits.ts';
import { readScreenCode, screenCodeChars } from '../config/screen-codes.ts';
import { isZone, zoneSpelling } from '../time/tz-data.ts';
import { isWallTime } from '../time/wall-clock.ts';
import { isEmailAddress, isPhone } from './person-texts.ts';
import { withoutBlanksAround } from './text-forms.ts';

interface Format {
  readonly check: RegExp | ((value: string) => boolean);
  /** Completes a sentence whose subject is the field. */
  readonly message: string | ((value: string) => string);
}

const years = `in the years ${limits.yearMin} to ${limits.yearMax}`;

/** The `format` keywords that schemas may use, each with its check and the message for a value that fails it. */
export const formats: Readonly<Record<string, Format>> = {
  // Without `urn:uuid:`, which ajv-formats allows and PostgreSQL cannot read.
  uuid: { check: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, message: 'must be a valid uuid' },
  'wall-time': {
    check: isWallTime,
    message: `must be a date and time that exists, as YYYY-MM-DD HH:MM:SS, ${years}`,
  },
  'local-date': {
    check: (value) => isWallTime(`${value} 00:00:00`),
    message: `must be a date that exists, as YYYY-MM-DD, ${years}`,
  },
  'time-of-day': {
    check: /^([01]\d|2[0-3]):[0-5]\d$/,
    message: 'must be a time of day as HH:MM, from 00:00 to 23:59; 00:00 as an end means midnight',
  },
  'iana-zone': { check: isZone, message: zoneMessage },
  'degrees-90': { check: isDegreesWithin(90), message: 'must be decimal degrees from -90 to 90, as text' },
  'degrees-180': { check: isDegreesWithin(180), message: 'must be decimal degrees from -180 to 180, as text' },
  money: {
    check: /^\d{1,10}(\.\d{1,2})?$/,
    message: 'must be an amount as text with at most 10 digits and 2 decimals, such as 25.50',
  },
  'email-ascii': {
    check: isEmailAddress,
    message: 'must be an e-mail address',
  },
  // Phones add a blank to what they suggest.
  'email-log-in': {
    check: (value) => isEmailAddress(withoutBlanksAround(value)),
    message: 'must be an e-mail address',
  },
  phone: {
    check: isPhone,
    message: 'must be a phone number: digits, spaces and + - ( ) ., with an extension as x or ext',
  },
  'credential-scopes': {
    check: (value) => parseCredentialScopes(value) !== null,
    message: `must be scopes with a single space between them; the scopes are ${credentialScopes.join(', ')}`,
  },
  'screen-code': {
    check: (value) => readScreenCode(value) !== null,
    message: `must be the code that the screen shows: ${screenCodeChars} letters and digits`,
  },
  'screen-secret': { check: /^[\w-]{43}\.\d{1,10}$/, message: 'must be the secret that came with the code' },
  'single-line': { check: isSingleLine, message: 'must be a single line' },
  'no-control-characters': { check: /^\P{Cc}*$/u, message: 'must have no control characters' },
};

/** Whether a text has none of the line breaks of Unicode. */
export function isSingleLine(value: string): boolean {
  return !/[\n\v\f\r\u0085\u2028\u2029]/.test(value);
}

function isDegreesWithin(bound: number) {
  return (value: string) => value === '' || (/^-?\d{1,3}(\.\d+)?$/.test(value) && Math.abs(Number(value)) <= bound);
}

function zoneMessage(value: string): string {
  const spelling = value.length <= limits.timezoneChars ? zoneSpelling(value) : null;
  return `must be an IANA time zone such as America/New_York${spelling ? `: did you mean ${spelling}?` : ''}`;
}
