/** Stands for `@jest/globals`: modules that stay loaded get the functions of the file that runs. */
const current = (name) => globalThis[Symbol.for('test globals')][name];
const follow = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, _self, args) => current(name)(...args),
    get: (_target, key) => current(name)[key],
  });

export const describe = follow('describe');
export const it = follow('it');
export const test = follow('test');
export const expect = follow('expect');
export const beforeAll = follow('beforeAll');
export const beforeEach = follow('beforeEach');
export const afterAll = follow('afterAll');
export const afterEach = follow('afterEach');
export const jest = follow('jest');
