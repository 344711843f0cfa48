// Types for packages that db/ uses and that have none.

declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on the whole file; false when another descriptor holds it. */
  export function tryLock(fd: number): boolean;
}

/** TypeScript declares this only together with the DOM of browsers. */
declare namespace WebAssembly {
  interface Module {}
  type Exports = Record<string, unknown>;
  function instantiate(wasm: Uint8Array, imports: Record<string, Exports>): Promise<{ instance: { exports: Exports } }>;
}
