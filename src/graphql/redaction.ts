import { type ASTNode, type GraphQLError, Kind, type Token, TokenKind } from 'graphql';
import { limits } from '../config/limits.ts';
import { shorten } from '../errors.ts';
import { spelledValues } from '../model/enum-of.ts';

/*
 * graphql-js repeats in its messages what it was sent: a password that is not a string would come back in the error.
 * These functions rebuild such messages from the parts that can only contain names of the schema.
 */

const valueKinds = new Set<string>([
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.NULL,
  Kind.ENUM,
  Kind.LIST,
  Kind.OBJECT,
  Kind.OBJECT_FIELD,
]);

/** The message of an error by graphql-js or Apollo, without any value that the client sent, and with short names only. */
export function withoutValues(error: GraphQLError): string {
  // Messages about conflicting fields nest one reason in another.
  return messageWithoutValues(error)
    .replaceAll(/[^\s"]{2,}/g, shorten)
    .slice(0, limits.remarkChars);
}

function messageWithoutValues({ message, nodes, extensions: { code }, originalError }: GraphQLError): string {
  if (code === 'GRAPHQL_PARSE_FAILED')
    // The parser is recursive, so it can overflow the stack before it reaches the limit of tokens.
    return message.startsWith('Syntax Error') ? syntaxMessage(message) : 'Syntax Error: Nested too deeply.';
  if (code === 'OPERATION_RESOLUTION_FAILURE')
    return message.replace(/^Unknown operation named "[^]*"\.$/, 'The document has no operation of that name.');
  const [, variable, rest = ''] = /^Variable "\$(\w+)" got invalid value ([^]*)$/.exec(message) ?? [];
  if (variable) return variableMessage(variable, rest, originalError?.message ?? '');
  const [, argument] = /^Argument "(\w+)" has invalid value /.exec(message) ?? [];
  if (argument) return `Argument "${argument}" has an invalid value.`;
  const [node] = nodes ?? [];
  if (!node || !valueKinds.has(node.kind)) return message;
  return isAboutDate(message)
    ? `Argument "${nameOf(node)}" has an invalid value: ${reasonOf(message)}`
    : reasonOf(message);
}

/** Removes string and number tokens; names remain, as they belong to the schema. */
const syntaxMessage = (message: string): string =>
  message
    .replace(/\b(String|BlockString|Int|Float) "[^]*"/, '$1')
    .replace(/^(Syntax Error: Invalid [^":]*): "[^]*"?\.?$/, '$1.');

/** Keeps the place in messages such as `… at "input.title"; <reason>`. */
function variableMessage(variable: string, rest: string, reason: string): string {
  const before = rest.endsWith(reason) ? rest.slice(0, rest.length - reason.length) : '';
  const [, place = variable] = / at "([\w.[\]]+)"; $/.exec(before) ?? [];
  return `Variable "$${variable}" got an invalid value at "${place}": ${reasonOf(reason)}`;
}

/** Messages that quote only names of the schema. */
const harmless = [
  /^Field "[\w.]{1,100}" of required type "[^"]+" was not provided\.$/,
  /^Field "\w{1,100}" is not defined by type "\w+"\./,
  /^Field "[\w.]{1,100}" must be non-null\.$/,
  /^Expected (non-nullable )?type "[^"]+" (not to be null|to be an object)\.$/,
  /^OneOf Input Object "\w+" must specify exactly one key\.$/,
  /^Exactly one key must be specified for OneOf type "\w+"\.$/,
];

/** Forms of dates, by the words in which their scalars refuse a value. */
const dateForms = [
  {
    refusal: /^DateTime/,
    form: 'It must be an instant in ISO 8601, with its offset from UTC, such as "2026-12-31T18:30:00Z".',
  },
  {
    refusal: /^(Value is not (string|a valid LocalDate): |Can only validate strings as local dates )/,
    form: 'It must be a day as YYYY-MM-DD, such as "2026-12-31".',
  },
] as const;

const isAboutDate = (message: string) => dateForms.some(({ refusal }) => refusal.test(message));

/** The name of the argument, or of the field of an input, that holds a value: it stands before the last colon. */
function nameOf({ loc }: ASTNode): string {
  let token: Token | null | undefined = loc?.startToken;
  while (token && token.kind !== TokenKind.COLON) token = token.prev;
  return token?.prev?.value ?? '';
}

function listValues(enumName: string): string {
  const values = spelledValues.get(enumName);
  return values ? `: ${values.join(', ')}` : '';
}

function reasonOf(message: string): string {
  const date = dateForms.find(({ refusal }) => refusal.test(message));
  if (date) return date.form;
  if (harmless.some((pattern) => pattern.test(message))) return message;
  const [, enumName] = /^(?:Value "[^]*" does not exist in|Enum) "(\w+)"/.exec(message) ?? [];
  if (enumName) return `Expected a value of enum "${enumName}"${listValues(enumName)}.`;
  const [, kind] = /^(\w+ cannot represent (?:an? )?(?:non[\w -]*? )?value)\b/.exec(message) ?? [];
  if (kind) return `${kind}.`;
  const [, type] = /^Expected (?:value of )?type "([^"]+)"/.exec(message) ?? [];
  return type ? `Expected a value of type "${type}".` : 'It cannot be read.';
}
