import { parseArgs } from 'node:util';

const usage = `npm run bench -- [options]
  --quick            a short look: one round each, few growth rows, 10 seconds of memory
  --full             all as the goals want it: 10 minutes of memory
  --only <name>      this only, and what begins with it (may be given again): see the README beside this file
  --profile <folder> also has the service write where its CPU goes, and prints that; best with --only
  --node <version>   of Node that the service and all others run on: 20, 22 or 24 [24], or own, the one that runs this
  --files            names the files of ours that run for one request (--only road)
  --database <name>  of the database that it makes [callboard_bench]
  --keep             leave the database, for --reuse
  --reuse            take the database that --keep left, and leave it again
  --out <file>       where the figures go as JSON [test/bench/results/<time>.json]
BENCH_DATABASE_URL names the PostgreSQL server [postgres://postgres@127.0.0.1:5432/postgres]; its user must be able to create databases.
BENCH_REDIS_URL names a Redis, for live updates over two processes.
`;

export interface Options {
  readonly only: readonly string[];
  readonly database: string;
  readonly serverUrl: string;
  /** For live updates over two processes. */
  readonly redisUrl: string | undefined;
  readonly profile: string | null;
  readonly namesFiles: boolean;
  /** The major version of Node, or `own`. */
  readonly node: string;
  readonly keeps: boolean;
  readonly reuses: boolean;
  readonly out: string | null;
  readonly rounds: number;
  readonly roundS: number;
  readonly warmUpS: number;
  /** Where answers are computed: compilers take their time. A fifth of it for pages of 100. */
  readonly warmUpRequests: number;
  /** Between the rounds of answers that are computed, and as many again. */
  readonly pauseS: number;
  readonly memoryS: number;
  readonly growthEvents: number;
  readonly growthReads: number;
  readonly reportReads: number;
}

const usual = {
  rounds: 3,
  roundS: 4,
  warmUpS: 3,
  warmUpRequests: 2500,
  pauseS: 15,
  memoryS: 60,
  growthEvents: 1_000_000,
  growthReads: 100,
  reportReads: 30,
};
const scales = {
  quick: {
    ...usual,
    rounds: 1,
    warmUpRequests: 1000,
    memoryS: 10,
    growthEvents: 50_000,
    growthReads: 30,
    reportReads: 10,
  },
  usual,
  full: { ...usual, memoryS: 600, growthReads: 200 },
};

/** A name stands for all that begin with it: `rest` for `rest-15` and `rest-100-304`. */
export const isWanted = ({ only }: Pick<Options, 'only'>, name: string): boolean =>
  only.length === 0 || only.some((wanted) => name === wanted || name.startsWith(`${wanted}-`));

/** Null: the usage was asked for, and printed. Throws on what is not an option. */
export function readOptions(): Options | null {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean' },
      full: { type: 'boolean' },
      only: { type: 'string', multiple: true, default: [] },
      database: { type: 'string', default: 'callboard_bench' },
      keep: { type: 'boolean', default: false },
      reuse: { type: 'boolean', default: false },
      out: { type: 'string' },
      profile: { type: 'string' },
      node: { type: 'string', default: '24' },
      files: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return null;
  }
  if (!/^(20|22|24|own)$/.test(values.node)) throw new Error('--node takes 20, 22, 24 or own');
  if (!/^[a-z_][a-z0-9_]*$/.test(values.database)) throw new Error('--database takes lower-case letters, digits and _');
  return {
    ...scales[values.quick ? 'quick' : values.full ? 'full' : 'usual'],
    only: values.only,
    database: values.database,
    serverUrl: process.env['BENCH_DATABASE_URL'] || 'postgres://postgres@127.0.0.1:5432/postgres',
    redisUrl: process.env['BENCH_REDIS_URL'] || undefined,
    keeps: values.keep || values.reuse,
    reuses: values.reuse,
    out: values.out ?? null,
    profile: values.profile ?? null,
    namesFiles: values.files,
    // This Node may be 20, which some contenders do not run on.
    node: values.node === 'own' && process.versions.node.startsWith('20.') ? '20' : values.node,
  };
}
