// What db/ uses and nobody brings types for.

declare module 'fs-native-extensions' {
  /** Takes an exclusive lock on the whole file; false when another descriptor holds it. */
  export function tryLock(fd: number): boolean;
}

/** Known to TypeScript only together with the browser's DOM. */
declare namespace WebAssembly {
  interface Module {}
  type Exports = Record<string, unknown>;
  function instantiate(wasm: Uint8Array, imports: Record<string, Exports>): Promise<{ instance: { exports: Exports } }>;
}
