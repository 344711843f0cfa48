import { keywords } from '../validation/compile.ts';

/** A part of the document. */
type Part = Readonly<Record<string, unknown>>;

/** Keys whose content is data or is named by others, not by JSON Schema. */
const dataKeys = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Our own keywords and what the document calls them: JSON Schema reserves names that begin with `x-` for such ones. */
const ownKeywords = new Map(
  keywords.map(({ keyword }) => [
    String(keyword),
    `x-${String(keyword).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  ]),
);

/**
 * Client generators name a type after its component. This moves every schema with a title into a component of that name
 * and replaces it by a reference, and so each header of an answer. Validators and serializers were compiled before and are
 * not affected.
 */
export function nameShapes<D extends object>(document: D): D {
  const schemas = createComponents('schemas');
  const headers = createComponents('headers');

  const lift = (value: unknown, areKeysNames = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => lift(item));
    if (!isPart(value)) return value;
    const part = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (areKeysNames) return [key, lift(inner)];
        if (dataKeys.has(key)) return [key, inner];
        if (key === 'headers' && isPart(inner)) return [key, liftHeaders(inner)];
        return [ownKeywords.get(key) ?? key, lift(inner, key === 'properties')];
      }),
    ) as Part;
    const { title, type } = part;
    return !areKeysNames && typeof title === 'string' && type === 'object' ? schemas.add(title, part) : part;
  };
  const liftHeaders = (named: Part): Part =>
    Object.fromEntries(
      Object.entries(named).map(([name, header]) => {
        const { schema, ...rest } = header as { schema: Part };
        const { title, ...shape } = schema;
        return [name, typeof title === 'string' ? headers.add(title, { ...rest, schema: shape }) : header];
      }),
    );

  const { components = {}, ...rest } = document as { components?: { schemas?: Part } };
  const lifted = lift(rest) as object;
  const known = lift(components.schemas ?? {}, true) as object;
  return {
    ...lifted,
    components: { ...components, schemas: { ...known, ...schemas.all }, headers: headers.all },
  } as unknown as D;
}

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;

/** Collects components of one kind. Two different ones of the same name stop the start of the service. */
function createComponents(kind: string) {
  const all: Record<string, unknown> = {};
  return {
    all,
    add: (name: string, part: Part) => {
      if (name in all && JSON.stringify(all[name]) !== JSON.stringify(part))
        throw new Error(`Two ${kind} of the OpenAPI document are called ${name}.`);
      all[name] = part;
      return { $ref: `#/components/${kind}/${name}` };
    },
  };
}
