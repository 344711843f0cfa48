/* Modules of Monaco that have no types. */
declare module 'monaco-editor/esm/vs/*';
declare module 'monaco-editor/esm/vs/editor/browser/config/tabFocus.js' {
  const TabFocus: { setTabFocusMode: (movesFocus: boolean) => void };
  export { TabFocus };
}
declare module 'monaco-graphql/esm/graphql.worker.js?worker' {
  const worker: new () => Worker;
  export default worker;
}
