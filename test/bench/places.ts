import { fileURLToPath } from 'node:url';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const places = {
  root: at('../../'),
  /** What `npm run build` makes. */
  service: at('../../dist/main.js'),
  commandLine: at('../../dist/bin/callboard.js'),
  tsx: import.meta.resolve('tsx'),
  /** Decorators are compiled by it. */
  tsconfig: at('../tsconfig.json'),
  contender: (name: string) => at(`contenders/${name}.ts`),
  /** Where `npm run bench:peers` installs. */
  peers: at('.peers/'),
  /** Where npm installs the versions of Node that are supported. */
  nodes: at('../nodes/'),
  node: (major: string) => at(`../nodes/node_modules/node-${major}/bin/node`),
  /** What a request takes: counted.ts. */
  counted: at('counted.json'),
  results: at('results/'),
  /** The runs that the guide for contributors tells of. */
  published: at('published/'),
};
