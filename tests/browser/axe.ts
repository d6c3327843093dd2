import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/**
 * Returns violations of level serious or critical that axe-core finds on the current page, one line each (WCAG 2.2 A
 * and AA, or only `rules`).
 */
export async function seriousViolations(
  page: Page,
  { rules }: { rules?: readonly string[] } = {},
): Promise<readonly string[]> {
  // Through the debugger's own channel, so that the page's policy stays in force.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const found = await page.evaluate(async (only) => {
    const { axe } = window as unknown as {
      axe: {
        run(context: Document, options: object): Promise<{ violations: Violation[] }>;
        _audit: { rules: readonly { readonly id: string; readonly impact?: string }[] };
      };
    };
    // Violations have the level of their rule, so these rules could only find what is filtered out below.
    const mild = axe._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate');
    const unasked = Object.fromEntries(mild.map(({ id }) => [id, { enabled: false }]));
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const runOnly = only === null ? { type: 'tag', values: tags } : { type: 'rule', values: only };
    // While the page is scrolled, the bar at its top may cover part of a target, which is then too small for axe.
    const top = window.scrollY;
    window.scrollTo({ top: 0, behavior: 'instant' });
    const { violations } = await axe.run(document, { runOnly, rules: unasked, resultTypes: ['violations'] });
    window.scrollTo({ top, behavior: 'instant' });
    return violations;
  }, rules ?? null);
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) =>
        `${id}: ${help} at ${nodes
          .slice(0, 3)
          .map(({ target }) => target.join(' '))
          .join('; ')}`,
    );
}
