import recorded from './examples.json' with { type: 'json' };

/** A request that was sent to the service over its demo data, and what it answered. */
export interface Example {
  readonly request: {
    readonly path?: Readonly<Record<string, string | number>>;
    readonly query?: Readonly<Record<string, string | number>>;
    readonly body?: unknown;
  };
  /** E-mail of the demo user who sends it, or `screen`, if it is not the admin. */
  readonly caller?: string;
  readonly status: number;
  /** The answer in JSON. Long lists are cut after their first items. */
  readonly answer: unknown;
  /** The first lines of the answer in CSV, if the operation has one. */
  readonly csv?: string;
  /** The answer in a further media type, if the operation has one. */
  readonly full?: unknown;
}

/** Examples by the id of their operation. */
export type Examples = Readonly<Record<string, Example | undefined>>;

/** The recorded examples. `npm run generate` records them. */
export const examples = recorded as unknown as Examples;

interface Media {
  example?: unknown;
}

interface DescribedOperation {
  readonly operationId?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: object;
    example?: unknown;
  }[];
  'x-example-caller'?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

const json = 'application/json';

/** Puts the examples into the operations of the OpenAPI document: rows to name, bodies to send, and answers. */
export function addExamples<D extends object>(document: D, known: Examples): D {
  const copy = structuredClone(document) as { paths?: Record<string, Record<string, DescribedOperation>> };
  for (const methods of Object.values(copy.paths ?? {}))
    for (const operation of Object.values(methods)) {
      const example = known[operation.operationId ?? ''];
      if (example) addExample(operation, example);
    }
  return copy as D;
}

function addExample(operation: DescribedOperation, { request, caller, status, answer, csv, full }: Example): void {
  for (const parameter of operation.parameters ?? []) {
    const isNeeded = parameter.required === true || 'x-in-example' in parameter.schema;
    const value = { ...request.path, ...request.query }[parameter.name];
    if (isNeeded && value !== undefined) parameter.example = value;
  }
  if (caller !== undefined) operation['x-example-caller'] = caller;
  const body = operation.requestBody?.content[json];
  if (body && request.body !== undefined) body.example = request.body;
  const content = operation.responses[status]?.content ?? {};
  // A row is shown alike whether it is new or changed.
  for (const [given, { content: shown = {} }] of Object.entries(operation.responses))
    if (given.startsWith('2') && shown[json]) shown[json].example = answer;
  if (content['text/csv'] && csv !== undefined) content['text/csv'].example = csv;
  for (const [type, media] of Object.entries(content))
    if (type !== json && type !== 'text/csv' && full !== undefined) media.example = full;
}
