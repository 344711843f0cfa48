import EditorWorker from 'monaco-editor/esm/vs/editor/editor.worker.js?worker';
import JsonWorker from 'monaco-editor/esm/vs/language/json/json.worker.js?worker';
import GraphqlWorker from 'monaco-graphql/esm/graphql.worker.js?worker';

/* The editors check and complete in web workers, each a separate file that is loaded on first use. */

const workers: Record<string, new () => Worker> = { json: JsonWorker, graphql: GraphqlWorker };

globalThis.MonacoEnvironment = {
  getWorker: (_id, label) => new (workers[label] ?? EditorWorker)(),
};
