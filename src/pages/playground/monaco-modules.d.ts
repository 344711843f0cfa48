/* Modules of Monaco that have no types. */
declare module 'monaco-editor/esm/vs/*';
declare module 'monaco-editor/esm/vs/editor/browser/config/tabFocus.js' {
  const TabFocus: { setTabFocusMode: (movesFocus: boolean) => void };
  export { TabFocus };
}
declare module 'monaco-editor/esm/vs/platform/storage/common/storage.js' {
  interface Storage {
    store: (key: string, value: boolean, scope: number, target: number) => void;
  }
  const IStorageService: { readonly service: Storage };
  export { IStorageService, type Storage };
}
declare module 'monaco-editor/esm/vs/editor/standalone/browser/standaloneServices.js' {
  import type { Storage } from 'monaco-editor/esm/vs/platform/storage/common/storage.js';
  const StandaloneServices: { get: (service: { readonly service: Storage }) => Storage };
  export { StandaloneServices };
}
declare module 'monaco-graphql/esm/graphql.worker.js?worker' {
  const worker: new () => Worker;
  export default worker;
}
