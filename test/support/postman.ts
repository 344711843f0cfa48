/* The part of a Postman collection that tests read. */

interface PostmanItem {
  readonly item?: readonly PostmanItem[];
  readonly request?: {
    readonly method: string;
    readonly url: {
      readonly path: readonly string[];
      readonly variable?: readonly { readonly key: string; readonly value: string }[];
    };
    readonly body?: { readonly mode: string; readonly raw?: string };
  };
}

interface PostmanRequest {
  readonly method: string;
  /** Path as the OpenAPI document has it. */
  readonly template: string;
  /** Path with the rows that the collection names. */
  readonly path: string;
  readonly body: unknown;
}

interface Converter {
  convert(
    input: object,
    options: object,
    done: (error: Error | null, result?: { reason?: string; output?: { data: PostmanItem }[] }) => void,
  ): void;
}

/** Converts an OpenAPI document as Postman does at an import. */
export function convertToPostman(require: NodeJS.Require, document: object): Promise<PostmanItem> {
  const { convert } = require('openapi-to-postmanv2') as Converter;
  return new Promise((resolve, reject) => {
    const options = { requestParametersResolution: 'Example', folderStrategy: 'Tags' };
    convert({ type: 'json', data: structuredClone(document) }, options, (error, result) => {
      const collection = result?.output?.[0]?.data;
      if (error || !collection) reject(error ?? new Error(result?.reason));
      else resolve(collection);
    });
  });
}

/** Lists the requests of a collection. */
export function requestsOf({ item = [], request }: PostmanItem): PostmanRequest[] {
  const inner = item.flatMap(requestsOf);
  if (!request) return inner;
  const { method, url, body } = request;
  const values = new Map((url.variable ?? []).map(({ key, value }) => [key, value]));
  const pathOf = (write: (name: string) => string) =>
    `/${url.path.map((part) => (part.startsWith(':') ? write(part.slice(1)) : part)).join('/')}`;
  return [
    ...inner,
    {
      method,
      template: pathOf((name) => `{${name}}`),
      path: pathOf((name) => encodeURIComponent(values.get(name) ?? '')),
      body: body?.raw ? (JSON.parse(body.raw) as unknown) : undefined,
    },
  ];
}
