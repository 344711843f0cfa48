/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules whose verdict depends on the colours: those alone can fail in dark colours what was fine in light ones. */
const ofColours = ['color-contrast', 'link-in-text-block'];

interface Axe {
  run(
    context: Document,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

/** What axe-core finds on a page by WCAG 2.2 A and AA, and by best practice, or by its rules on colours: one line for each node. */
export async function findBarriers(page: Page, by: 'all rules' | 'colours' = 'all rules'): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(`${source};0`);
  return page.evaluate(
    async (values) => {
      // Chromium skips what is far below, and axe-core with it.
      document.styleSheets[0]?.insertRule('.ref-item, .bd-card { content-visibility: visible !important; }', 0);
      const { axe } = globalThis as unknown as { axe: Axe };
      const { violations } = await axe.run(document, { runOnly: values, resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      );
    },
    by === 'colours' ? ofColours : rules,
  );
}
