import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly { readonly expr: string }[];
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
}

/** An expression, and the rule or panel that contains it. */
export interface Query {
  readonly from: string;
  readonly expression: string;
}

const PROMETHEUS = 'infra/observability/prometheus';
const DASHBOARDS = 'infra/observability/grafana/dashboards';
const ANSWER_MS = 10_000;

export function alertRules(): readonly Rule[] {
  const { groups } = parse(readFileSync(join(PROMETHEUS, 'alerts.yml'), 'utf8')) as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

export const dashboards = (): readonly Dashboard[] =>
  readdirSync(DASHBOARDS).map((file) => JSON.parse(readFileSync(join(DASHBOARDS, file), 'utf8')) as Dashboard);

/** Returns every expression of a rule or panel in the form that Prometheus accepts. */
export function queriesOf(): readonly Query[] {
  return [
    ...alertRules().map(({ alert, record, expr }) => ({ from: alert ?? record ?? '', expression: expr })),
    ...dashboards().flatMap(({ title, panels }) =>
      panels.flatMap((panel) =>
        (panel.targets ?? []).map(({ expr }) => ({ from: `${title}: ${panel.title}`, expression: expr })),
      ),
    ),
  ].map(({ from, expression }) => ({ from, expression: expression.replaceAll('$__rate_interval', '5m').trim() }));
}

/**
 * Sends every expression of the rules and dashboards to a Prometheus. Returns those without a result, such as an alert
 * that does not fire.
 *
 * @throws Error when an expression is refused.
 */
export async function runQueries(baseUrl: string): Promise<readonly Query[]> {
  const refused: string[] = [];
  const empty: Query[] = [];
  for (const query of queriesOf()) {
    const response = await fetch(new URL('/api/v1/query', baseUrl), {
      method: 'POST',
      body: new URLSearchParams({ query: query.expression }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const answer = (await response.json()) as { error?: string; data?: { result: readonly unknown[] } };
    if (answer.data === undefined) refused.push(`${query.from}: ${answer.error ?? response.status}`);
    else if (answer.data.result.length === 0) empty.push(query);
  }
  if (refused.length > 0) throw new Error(refused.join('\n'));
  return empty;
}
