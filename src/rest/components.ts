/** JSON Schema, as much of it as is looked at here. */
type Shape = Readonly<Record<string, unknown>>;

/**
 * Client generators name a type after its component: here every shape that has a title becomes the component of that
 * name, and what holds it a reference. Checks and serializers, which were made before, know nothing of it.
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
