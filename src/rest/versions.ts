import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { Failure } from '../errors.ts';

/** An answer about one versioned row, with the version of that row. */
export class OfVersion<T> {
  readonly version: number;
  readonly body: T;
  /** Status of the answer, where it depends on what was done. */
  readonly status: number | undefined;

  constructor({ version }: { readonly version: number }, body: T, status?: number) {
    this.version = version;
    this.body = body;
    this.status = status;
  }
}

export const ifNoneMatchHeader = {
  'If-None-Match': Type.Optional(
    Type.String({
      description:
        'Entity tags of earlier answers, or `*`. Answered with 304 and no body if one of them names the current answer.',
    }),
  ),
};

export const ifNoneMatchOfChange = {
  'If-None-Match': Type.Optional(
    Type.String({
      description:
        'Entity tags of earlier answers, or `*`. Refused with 412 if the row is there in a version that they name.',
    }),
  ),
};

export const ifMatchHeader = {
  'If-Match': Type.Optional(
    Type.String({
      description:
        'Entity tags of earlier answers, or `*`. Refused with 412 if none of them names the current version because somebody has changed it since. A tag that a proxy has made weak or marked with its content coding counts as it was.',
    }),
  ),
};

/** Sets the version as the entity tag and returns the body. */
export function setVersionTag<T>(reply: FastifyReply, { version, body }: OfVersion<T>): T {
  reply.header('etag', `"${version}"`);
  return body;
}

/** Makes an entity tag of version and bytes, for an answer that holds more than the row. */
export function tagBytes({ version }: OfVersion<unknown>, json: string): string {
  return `"${version}.${createHash('sha256').update(json).digest('base64url')}"`;
}

export const ifNewHeader = {
  'If-None-Match': Type.Optional(
    Type.String({ description: 'With `*`, the row is only created: refused with 412 if it exists.' }),
  ),
};

export interface Precondition {
  expectedVersions?: number[];
}

const entityTag = /(W\/)?"([!#-~\u0080-\u00ff]*)"/g;
/** Replaces each tag while the list is split. No header can hold it. */
const tagPlaceholder = '\0';

/** Reads the versions that If-Match names. Without the header, or with `*`, any version is accepted. */
export function readIfMatch(header: string | undefined, name = 'If-Match'): Precondition {
  if (header === undefined || header.trim() === '*') return {};
  const items = header
    .replaceAll(entityTag, tagPlaceholder)
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (items.length === 0 || items.some((item) => item !== tagPlaceholder))
    throw new Failure('BAD_REQUEST', `The ${name} header must be * or a list of entity tags such as "3".`);
  const versions = [...header.matchAll(entityTag)].flatMap(([, , opaque = '']) => {
    const [, version] = rowTag.exec(opaque) ?? [];
    return version !== undefined && !revisionTag.test(opaque) ? [Number(version)] : [];
  });
  return { expectedVersions: versions };
}

/** What a PUT may ask for that creates a row or changes it. */
export interface UpsertPrecondition extends Precondition {
  mustExist?: true;
  mustBeNew?: true;
}

/** Reads If-Match, of which `*` asks for a row of any version, and `If-None-Match: *`, which asks for none. */
export function readUpsertPrecondition(
  ifMatch: string | undefined,
  ifNoneMatch: string | undefined,
): UpsertPrecondition {
  return {
    ...readIfMatch(ifMatch),
    ...(ifMatch?.trim() === '*' && { mustExist: true }),
    ...(ifNoneMatch?.trim() === '*' && { mustBeNew: true }),
  };
}

/** Begins with the version. Some proxies add the content coding: `3-gzip`. */
const rowTag = /^([1-9]\d{0,9})(?:[.-]|$)/;
/** The tag of a list begins with the data version of the business, which is no version of a row. */
const revisionTag = new RegExp(`^\\d+\\.[\\w-]{22}(?:\\.\\w+)?$`);

/** The precondition under which a change must not be made: `If-None-Match` names the current version, or any with `*`. */
export function readIfNoneMatch(header: string | undefined): Precondition | null {
  return header === undefined ? null : readIfMatch(header, 'If-None-Match');
}
