/* The parts of an OpenAPI 3.1 document that the reference shows. */

export interface DocumentedShape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, DocumentedShape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | DocumentedShape;
  readonly items?: DocumentedShape;
  readonly anyOf?: readonly DocumentedShape[];
  readonly oneOf?: readonly DocumentedShape[];
  readonly allOf?: readonly DocumentedShape[];
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: DocumentedShape;
  readonly example?: unknown;
}

interface Media {
  readonly schema: DocumentedShape;
  readonly example?: unknown;
}

export interface DocumentedAnswer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
  readonly 'x-callboard-extension'?: boolean;
}

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, DocumentedShape>>;
    readonly headers: Readonly<Record<string, { readonly description?: string }>>;
  };
}

/** A name of a component, from a reference to it. */
export const nameOfRef = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
