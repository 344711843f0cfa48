const globals = new URL('./globals.mjs', import.meta.url).href;

/** The real package refuses to be loaded outside of a Jest runtime. */
export const resolve = (specifier, context, next) =>
  specifier === '@jest/globals' ? { url: globals, format: 'module', shortCircuit: true } : next(specifier, context);
