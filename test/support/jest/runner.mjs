import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import { register as registerTsx } from 'tsx/esm/api';

/*
 * Runs a test file as Jest does, apart from one thing: modules are imported by Node itself, and stay in the worker. Jest
 * would load the service's 1,500 modules anew for each file, which took longer than the tests.
 */
const require = createRequire(import.meta.url);
const framework = createRequire(require.resolve('jest-circus/runner')).resolve('./jestAdapterInit');
let files = 0;

registerTsx();
register('./hooks.mjs', import.meta.url);

export default async function runFile(globalConfig, config, environment, runtime, path, sendMessageToJest) {
  // Node maps stack traces to the sources by itself.
  Error.prepareStackTrace = undefined;
  files += 1;
  const native = Object.create(runtime, {
    requireInternalModule: { value: requireAnew },
    requireModule: { value: require },
    unstable_shouldLoadAsEsm: { value: () => true },
    // A query of its own: setup files run for each test file, and a file runs again when asked to.
    unstable_importModule: { value: (file) => import(`${pathToFileURL(file).href}?run=${files}`) },
    setGlobalsForRuntime: { value: (globals) => shareGlobals(globals, environment) },
  });
  return circus.default(globalConfig, config, environment, native, path, sendMessageToJest);
}

/** The framework keeps the tests that it was told of: each file needs another. */
function requireAnew(path) {
  if (path !== framework) return require(path);
  delete require.cache[path];
  delete globalThis[Symbol.for('EVENT_HANDLERS')];
  return require(path);
}

function shareGlobals(globals, { moduleMocker }) {
  globalThis[Symbol.for('test globals')] = {
    ...globals,
    jest: {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: moduleMocker.spyOn.bind(moduleMocker),
    },
  };
}
