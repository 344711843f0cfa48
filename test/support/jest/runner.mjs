import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import { register as registerTsx } from 'tsx/esm/api';
import { endProcess } from './at-end.mjs';
import { noteCost } from './costs.mjs';
import { setGlobals } from './globals.mjs';

/*
 * Runs a test file as Jest does, apart from one thing: Node imports the modules, and they stay loaded in the worker. Jest
 * would load the 1,500 modules of the service anew for each test file, which took longer than the tests themselves.
 */
const require = createRequire(import.meta.url);
const framework = createRequire(require.resolve('jest-circus/runner')).resolve('./jestAdapterInit');
let fileCount = 0;

registerTsx();
register('./hooks.mjs', import.meta.url);

// A worker calls `teardown` before it ends. A run without workers ends with the global teardown.
const worker = require.cache[require.resolve('jest-runner').replace(/index\.js$/, 'testWorker.js')];
if (worker) worker.exports.teardown = endProcess;

export default async function runFile(globalConfig, config, environment, runtime, path, sendMessageToJest) {
  // Jest's own hook does not know how tsx has changed the lines; Node does.
  Error.prepareStackTrace = undefined;
  fileCount += 1;
  const nativeRuntime = Object.create(runtime, {
    requireInternalModule: { value: requireInternal },
    requireModule: { value: require },
    unstable_shouldLoadAsEsm: { value: () => true },
    // The query makes setup files run before each test file, and a test file run again in the same process.
    unstable_importModule: { value: (file) => import(`${pathToFileURL(file).href}?run=${fileCount}`) },
    setGlobalsForRuntime: {
      value: (globals) => setGlobals({ ...globals, jest: createJestObject(environment.moduleMocker) }),
    },
  });
  return noteCost(path, () =>
    circus.default(globalConfig, config, environment, nativeRuntime, path, sendMessageToJest),
  );
}

/** The framework keeps the tests that were declared, so each test file needs an instance of its own. */
function requireInternal(path) {
  if (path !== framework) return require(path);
  delete require.cache[path];
  delete globalThis[Symbol.for('EVENT_HANDLERS')];
  return require(path);
}

/** The part of `jest` that tests use. Modules cannot be mocked: tests replace only the clock and the network. */
function createJestObject(mocker) {
  return {
    fn: (implementation) => mocker.fn(implementation),
    spyOn: (...args) => mocker.spyOn(...args),
    clearAllMocks: () => mocker.clearAllMocks(),
    resetAllMocks: () => mocker.resetAllMocks(),
    restoreAllMocks: () => mocker.restoreAllMocks(),
  };
}
