import type { FastifyBaseLogger } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Operation } from '../access/operation.ts';
import type { CallScope } from '../access/scope.ts';
import type { ListCsv } from './csv.ts';
import type { EntityTagKind } from './response-headers.ts';
import type { Tag } from './tags.ts';
import type { OfVersion, UpsertPrecondition } from './versions.ts';
import type { WriteBack } from './write-back.ts';

/** The record of a route. */
export interface RouteOf<P extends TObject, Q extends TObject, B extends TObject, R extends TSchema> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  /** The operation that the route serves. Its record gives the permission, security, caching and retries. */
  calls: Pick<Operation<TSchema, unknown>, 'operation'>;
  /** Id in the OpenAPI document. Needed where two routes serve one operation. */
  operationId?: string;
  tag: Tag;
  summary: string;
  description?: string;
  /** Marks an extension of the documented contract. */
  isExtension?: boolean;
  /**
   * Whether the call can be refused because it conflicts with what is stored (409). The refusals of extensions show the rows
   * behind it, those of the contract where `shown` says so.
   */
  conflicts?: boolean | 'shown';
  /** Whether the call can be refused because its cursor has expired (410). */
  cursorExpires?: boolean;
  /**
   * Content that the entity tag identifies: the version of the row, or also the bytes if the answer holds more than the
   * row. Without it, a cacheable read has the tag of the response cache, which identifies the revision of the business.
   */
  etag?: EntityTagKind;
  /** Whether the route takes If-Match and changes only the version named there. */
  ifMatch?: boolean;
  /** Whether the body names versions of rows that it changes. */
  namesVersions?: boolean;
  /** Whether the route also creates the row: it answers with 201 then, and takes `If-None-Match: *`. */
  upserts?: boolean;
  /** Whether `dry_run=true` shows what the change would do. The answer needs no row that it stores. */
  dryRun?: boolean;
  params?: P;
  query?: Q;
  body?: B;
  /** Whether a request without a body counts as one with an empty object. */
  isBodyOptional?: boolean;
  /** What the body takes back beside what the read of the same address shows. */
  writeBack?: WriteBack<Static<P>>;
  /** A body for the reference, where one that is made of the schema alone would be refused or say little. */
  example?: Readonly<Record<string, unknown>>;
  /** Optional fields and query parameters that an example needs, as REST spells them, where it is made of the schema. */
  exampleFields?: readonly string[];
  /** REST's names of fields that stand at another path in the operation's input, by that path. */
  errorNames?: Readonly<Record<string, string>>;
  status?: 200 | 201;
  /** Address of the row that the call creates, with the names of its fields. */
  created?: string;
  response: R;
  /** Whether the answer is a stream of events, each with the response as its data. */
  isStream?: boolean;
  /** The answer to `?fields=full`, which shows whole rows in a shape of its own. */
  full?: {
    readonly response: TSchema;
    readonly handle: (scope: CallScope, input: { params: Static<P>; query: Static<Q> }) => Promise<object>;
  };
  /** The CSV form of the answer, if it is a list. */
  csv?: ListCsv<P, Q>;
  /** Passes the input on as it was sent, because the operation checks it. */
  handle: (
    scope: CallScope,
    input: {
      params: Static<P>;
      query: Static<Q>;
      body: Static<B>;
      precondition: UpsertPrecondition;
      log: FastifyBaseLogger;
    },
  ) => Promise<Static<R> | OfVersion<Static<R>>>;
}

/** The facts of a route, without its handler and its CSV rows. */
export interface AnyRoute extends Omit<
  RouteOf<TObject, TObject, TObject, TSchema>,
  'handle' | 'csv' | 'full' | 'writeBack'
> {
  full?: { readonly response: TSchema };
  csv?: { readonly description?: string };
}
