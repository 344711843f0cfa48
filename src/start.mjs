// `npm start`: builds what is stale and serves, in one process, so that signals reach the service.
import './build.mjs';

await import('../dist/main.js');
