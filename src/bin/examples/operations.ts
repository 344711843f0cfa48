import type { RequestShape } from './values.ts';

/** A parameter of an operation in the OpenAPI document. */
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: RequestShape;
}

interface Media {
  readonly schema: RequestShape;
  readonly example?: unknown;
}

/** An operation of the OpenAPI document. */
export interface DescribedOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: RequestShape | null;
  /** The body that the route itself gives as an example. */
  readonly bodyExample?: unknown;
  readonly hasCsv: boolean;
  /** Whether `fields=full` asks for a further shape of the answer. */
  readonly hasFull: boolean;
  /** Whether it needs a credential. */
  readonly isPublic: boolean;
}

type Responses = Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string;
            readonly security?: readonly unknown[];
            readonly parameters?: readonly Parameter[];
            readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
            readonly responses: Responses;
          }
        >
      >
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, RequestShape>> };
}

/** Reads the operations of an OpenAPI document, except streams, which have no end, in the order in which their examples can be sent. */
export function readOperations(document: unknown): DescribedOperation[] {
  const { paths, components } = document as Document;
  const resolve = (shape: RequestShape): RequestShape => {
    const { $ref } = shape;
    if ($ref !== undefined) return resolve(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
    const { properties, items } = shape;
    return {
      ...shape,
      ...(items && { items: resolve(items) }),
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, resolve(inner)])),
      }),
    };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => !isStream(responses))
      .map(([method, { operationId, security, parameters = [], requestBody, responses }]) => {
        const media = requestBody?.content['application/json'];
        return {
          id: operationId,
          method: method.toUpperCase() as DescribedOperation['method'],
          path,
          parameters,
          body: media ? resolve(media.schema) : null,
          ...(media?.example !== undefined && { bodyExample: media.example }),
          hasCsv: Object.values(responses).some(({ content = {} }) => 'text/csv' in content),
          hasFull: parameters.some(({ name }) => name === 'fields'),
          isPublic: security?.length === 0,
        };
      }),
  );
  return operations.sort((a, b) => sendingOrder(a) - sendingOrder(b));
}

const isStream = (responses: Responses) =>
  Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content);

/** Reads come first, then changes, deletions of one row, and those of many; what ends log-ins of the caller comes last. */
export function sendingOrder({ method, path }: DescribedOperation): number {
  if (path.includes('/personal')) return 4;
  if (method !== 'DELETE') return method === 'GET' ? 0 : 1;
  return path.includes('{') ? 2 : 3;
}
