import { limits } from '../config/limits.ts';
import type { OperationRecord } from '../access/operation-record.ts';

/** A header of an answer. The title is its name among the components of the OpenAPI document. */
interface ResponseHeader {
  readonly title: string;
  readonly type: 'string' | 'integer';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
}

type ResponseHeaders = Readonly<Record<string, ResponseHeader>>;

/** Kinds of entity tags, by the content that they identify. */
const entityTags = {
  row: {
    title: 'RowTag',
    type: 'string',
    description: 'Version of the written row, such as `"3"`: to be sent as If-Match.',
    examples: ['"3"'],
  },
  bytes: {
    title: 'AnswerTag',
    type: 'string',
    description:
      'Tag of this answer, such as `"3.Zr4u…"`. Its first part is the version; only that part matters in If-Match.',
  },
  revision: {
    title: 'RevisionTag',
    type: 'string',
    description:
      'Tag of this answer for its caller, such as `W/"1794….x9Qc…"`. It stays the same until data of the business changes.',
  },
} as const satisfies Record<string, ResponseHeader>;

export type EntityTagKind = Exclude<keyof typeof entityTags, 'revision'>;

const onEveryAnswer: ResponseHeaders = {
  'X-RateLimit-Limit': {
    title: 'RateLimitLimit',
    type: 'integer',
    description: `Requests that the business may send in ${limits.rateLimitWindowS} seconds, by its plan. REST, GraphQL and all credentials share them. Requests without a valid credential are counted by IP address.`,
    examples: [300],
  },
  'X-RateLimit-Remaining': {
    title: 'RateLimitRemaining',
    type: 'integer',
    description: 'Requests that are left until the limit resets.',
    examples: [299],
  },
  'X-RateLimit-Reset': {
    title: 'RateLimitReset',
    type: 'integer',
    description: 'Seconds until the limit resets.',
    examples: [60],
  },
  'X-Request-Id': {
    title: 'RequestId',
    type: 'string',
    description: 'Id of the request, also in the log of the service. A caller may send one of their own.',
  },
};

const ignoredParameters: ResponseHeaders = {
  'Callboard-Ignored-Parameters': {
    title: 'CallboardIgnoredParameters',
    type: 'string',
    description:
      'Query parameters that the route does not know, in percent-encoding, if the business has them ignored (`strict_queries` false).',
    examples: ['resourceId'],
  },
};

const retryAfter: ResponseHeaders = {
  'Retry-After': {
    title: 'RetryAfter',
    type: 'integer',
    description: 'Seconds to wait before the request is sent again.',
    examples: [30],
  },
};

const notExecuted: ResponseHeaders = {
  'Callboard-Not-Executed': {
    title: 'CallboardNotExecuted',
    type: 'string',
    enum: ['true'],
    description: 'Nothing was done, so the request may be sent again as it is.',
  },
};

const authenticate: ResponseHeaders = {
  'WWW-Authenticate': {
    title: 'WwwAuthenticate',
    type: 'string',
    description:
      '`Bearer` if the credential is missing or not valid; with `error="insufficient_scope"` and the scopes that are missing if it is too narrow.',
    examples: ['Bearer'],
  },
};

const replayed: ResponseHeaders = {
  'Idempotency-Replayed': {
    title: 'IdempotencyReplayed',
    type: 'string',
    enum: ['true'],
    description: 'This is the first answer to this key, repeated.',
  },
};

const dryRunHeader: ResponseHeaders = {
  'Callboard-Dry-Run': {
    title: 'CallboardDryRun',
    type: 'string',
    enum: ['true'],
    description: 'Nothing was stored, as `dry_run=true` asked for. There is no `ETag` and no `Location` then.',
  },
};

const attachment: ResponseHeaders = {
  'Content-Disposition': {
    title: 'ContentDisposition',
    type: 'string',
    description: 'File name of an answer in CSV. An answer in JSON has none.',
    examples: ['attachment; filename="events.csv"'],
  },
};

const location: ResponseHeaders = {
  Location: {
    title: 'RowLocation',
    type: 'string',
    description: 'Address of the new row.',
    examples: ['/v1/events/0197d2a4-8a52-7c5e-9d51-0c6f6f2f9a11'],
  },
};

interface Answered {
  readonly operation: OperationRecord;
  readonly etag: EntityTagKind | undefined;
  readonly hasCsv: boolean;
  readonly created: string | undefined;
  readonly dryRun: boolean | undefined;
}

/** Returns the headers that an answer with this status can have, by name. */
export function headersOf(status: number, { operation, etag, hasCsv, created, dryRun }: Answered): ResponseHeaders {
  const kind = etag ?? (operation.cacheable ? 'revision' : undefined);
  const isSuccess = status < 300;
  return {
    ...onEveryAnswer,
    ...(isSuccess && operation.roles !== 'anyone' && ignoredParameters),
    ...(kind && (isSuccess || status === 304) && { ETag: entityTags[kind] }),
    ...(isSuccess && operation.idempotent && replayed),
    ...(isSuccess && created && location),
    ...(status === 200 && dryRun && dryRunHeader),
    ...(isSuccess && hasCsv && attachment),
    ...((status === 401 || status === 403) && authenticate),
    ...((status === 429 || status === 503 || (status === 409 && operation.idempotent)) && retryAfter),
    ...(status === 503 && notExecuted),
  };
}
