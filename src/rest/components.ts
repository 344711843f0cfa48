/** The parts of JSON Schema that this file reads. */
type Shape = Readonly<Record<string, unknown>>;

/**
 * Client generators name a type after its component. This moves every schema with a title into a component of that name
 * and replaces it by a reference. Validators and serializers were compiled before and are not affected.
 */
export function nameShapes<D extends object>(document: D): D {
  const named: Record<string, unknown> = {};
  const lift = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(lift);
    if (typeof value !== 'object' || value === null) return value;
    const shape = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, lift(inner)])) as Shape;
    const { title, type } = shape;
    if (typeof title !== 'string' || type !== 'object') return shape;
    if (title in named && JSON.stringify(named[title]) !== JSON.stringify(shape))
      throw new Error(`Two shapes of the OpenAPI document are called ${title}.`);
    named[title] = shape;
    return { $ref: `#/components/schemas/${title}` };
  };
  const { components = {}, ...rest } = document as { components?: { schemas?: object } };
  const lifted = lift(rest) as object;
  const known = lift(components.schemas ?? {}) as object;
  return { ...lifted, components: { ...components, schemas: { ...known, ...named } } } as D;
}
