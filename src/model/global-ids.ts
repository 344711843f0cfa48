import { limits } from '../config/limits.ts';
import { nodeTypes, type NodeType } from '../fields/node-types.ts';

/*
 * Global ids of GraphQL: opaque to clients, unique over all types, and the same for as long as the row exists. A global id holds
 * the type and the key of its row and needs no statement, neither to be made nor to be read.
 */

/** The two parts of a global id: the type of the row, and its key as text. */
export interface GlobalId {
  readonly type: NodeType;
  readonly key: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isNumber = (key: string) => /^[1-9]\d{0,9}$/.test(key) && Number(key) <= limits.int4Max;

/** Whether a text can be a key, by kind of key. */
const keyChecks: Record<(typeof nodeTypes)[NodeType]['key'], (key: string) => boolean> = {
  uuid: (key) => uuid.test(key),
  number: isNumber,
  'public id': (key) => /^[0-9A-Za-z]+$/.test(key),
  'event and field': (key) => {
    const { eventId, fieldUuid } = splitValueKey(key);
    return isNumber(eventId) && uuid.test(fieldUuid);
  },
};

export function encodeGlobalId(type: NodeType, key: string | number): string {
  return Buffer.from(`${type}:${key}`).toString('base64url');
}

/** Reads a global id. Null for every text that `encodeGlobalId` did not make. */
export function decodeGlobalId(text: string): GlobalId | null {
  if (text.length > limits.labelChars) return null;
  const [type = '', key = ''] = Buffer.from(text, 'base64url').toString().split(':');
  if (!isNodeType(type) || !keyChecks[nodeTypes[type].key](key)) return null;
  return encodeGlobalId(type, key) === text ? { type, key } : null;
}

/** Reads the key of a row of one type: from its global id, or from the other name that the row has. Null for other texts. */
export function readRowKey(type: NodeType, text: string): string | null {
  const decoded = decodeGlobalId(text);
  if (decoded) return decoded.type === type ? decoded.key : null;
  const { otherName } = nodeTypes[type];
  return otherName !== null && keyChecks[otherName](otherName === 'uuid' ? text.toLowerCase() : text) ? text : null;
}

/** Returns the key of the value of a custom field: its event's id and its field's uuid. */
export function valueKey({ eventId, fieldUuid }: { readonly eventId: number; readonly fieldUuid: string }): string {
  return `${eventId}-${fieldUuid}`;
}

/** The two parts of such a key. */
export function splitValueKey(key: string): { eventId: string; fieldUuid: string } {
  const at = key.indexOf('-');
  return { eventId: key.slice(0, at), fieldUuid: key.slice(at + 1) };
}

function isNodeType(type: string): type is NodeType {
  return Object.hasOwn(nodeTypes, type);
}
