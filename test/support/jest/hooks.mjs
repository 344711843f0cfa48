const globals = new URL('./globals.mjs', import.meta.url).href;

/** The package `@jest/globals` refuses to be loaded outside of Jest's own module loader. */
export async function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: globals, format: 'module', shortCircuit: true };
  return nextResolve(specifier, context);
}
