import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { startApp, useService } from './support/app.ts';
import { serverUrl } from './support/template.ts';

/* The rules and the dashboard of .deploy/observability, as promtool reads them, and against the metrics of a service that runs. */

const folder = fileURLToPath(new URL('../.deploy/observability', import.meta.url));
const guide = readFileSync(new URL('../src/guide/operators.md', import.meta.url), 'utf8');
const read = (name: string) => readFileSync(`${folder}/${name}`, 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const { groups } = parse(read('alerts.yaml')) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('dashboard.json')) as { uid: string; panels: Panel[] };
const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Runs promtool and returns its status with all that it printed. */
function promtool(args: readonly string[], input?: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, input, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

const token = 'a-token-of-the-metrics';
let exposed: string;

const service = useService();

beforeAll(async () => {
  const url = service.database.config().db.url;
  const full = await startApp({
    beside: service,
    // A replica is only named here, so that its series are there.
    env: { METRICS_TOKEN: token, ...(url !== null && { DATABASE_READ_URLS: url }) },
  });
  await full.call('GET', '/v1/events');
  await service.prisma.$executeRaw`INSERT INTO backup_state (id, verified_at) VALUES (1, now() - interval '1 hour')`;
  const { body } = await full.app.http.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } });
  exposed = body;
  await full.app.close();
});

/** Names of all series that the service has, also those of histograms. */
const known = (): Set<string> =>
  new Set(
    [...exposed.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );

/** Names of series in an expression: what is in strings is none. */
const namesIn = (expr: string): string[] =>
  expr.replaceAll(/"[^"]*"/g, '').match(/\b(?:callboard|nodejs|process)_\w+|\bup\b/g) ?? [];

/** Made by Prometheus itself, and what the embedded database has none of. */
const missing = [
  'up',
  ...(serverUrl
    ? []
    : [
        'callboard_db_connections_open',
        'callboard_db_connections_idle',
        'callboard_db_connections_waiting',
        'callboard_replicas_used',
        'callboard_replica_reads_total',
      ]),
];

describe('the alert rules', () => {
  test('are right in the eyes of Prometheus, fire on their faults, and stay silent on a service that is well', () => {
    expect(promtool(['check', 'rules', 'alerts.yaml'])).toMatchObject({ status: 0 });
    expect(promtool(['test', 'rules', 'alerts.test.yaml'])).toMatchObject({ status: 0 });
  });

  test('each say what they mean and what to do first, and lead to a place of the runbook', () => {
    const anchors = new Set(
      [...guide.matchAll(/^###? (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(/\s/g, '-'),
      ),
    );
    const runbook = guide.slice(
      guide.indexOf('\n## Runbook\n'),
      guide.indexOf('\n## ', guide.indexOf('\n## Runbook\n') + 1),
    );
    for (const { alert, labels, annotations } of rules) {
      expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(critical|warning)$/)]);
      for (const part of ['summary', 'meaning', 'action', 'runbook_url'])
        expect([alert, part, annotations[part]]).toEqual([alert, part, expect.stringMatching(/\S{3}/)]);
      const [address, anchor = ''] = annotations['runbook_url']!.split('#');
      expect([alert, address, anchors.has(anchor)]).toEqual([alert, 'https://callboard.example/guide/operators', true]);
      expect([alert, runbook.includes(`\`${alert}\``)]).toEqual([alert, true]);
    }
    // And the other way round: the runbook names no alert that is gone.
    const named = [...new Set(runbook.match(/`Callboard\w+`/g))].map((name) => name.slice(1, -1));
    expect(named.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  test('are loaded by the example of a configuration', () => {
    expect(promtool(['check', 'config', '--syntax-only', 'prometheus.yaml'])).toMatchObject({ status: 0 });
  });
});

describe('the dashboard', () => {
  test('has ids and places that no other panel has, and describes each panel', () => {
    expect(dashboard.uid).toBe('callboard');
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const places = new Set<string>();
    for (const { type, title, description, gridPos, targets = [] } of dashboard.panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect([title, x, y, places.has(`${x} ${y}`) || x >= 24]).toEqual([title, x, y, false]);
          places.add(`${x} ${y}`);
        }
      if (type === 'row') continue;
      expect([title, description]).toEqual([title, expect.stringMatching(/\.$/)]);
      expect(targets.length).toBeGreaterThan(0);
    }
  });

  test('asks only for what Prometheus can read', () => {
    const made = expressions.map((expr, index) => ({ record: `made:rule_${index}`, expr }));
    // JSON is YAML.
    const file = JSON.stringify({ groups: [{ name: 'dashboard', rules: made }] });
    const path = join(mkdtempSync(join(tmpdir(), 'callboard-rules-')), 'rules.yaml');
    writeFileSync(path, file);
    const { status, output } = promtool(['check', 'rules', path]);
    rmSync(dirname(path), { recursive: true });
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining(`${expressions.length} rules`) });
  });
});

describe('the metrics of the service', () => {
  test('have a name and a help that Prometheus does not complain about', () => {
    expect(promtool(['check', 'metrics'], exposed)).toEqual({ status: 0, output: '' });
  });

  test('have each series that a rule or a panel names', () => {
    const names = [...rules.map(({ expr }) => expr), ...expressions].flatMap(namesIn);
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((name) => !known().has(name) && !missing.includes(name))).toEqual([]);
  });
});
