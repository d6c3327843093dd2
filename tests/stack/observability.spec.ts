import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SECURITY_EVENTS } from '@moorage/api';
import { ALERT_MESSAGES, DEPLOYMENT_STATUSES } from '@moorage/domain';
import { Metrics } from '@moorage/runtime';
import { parse } from 'yaml';
import { alertRules, dashboards, queriesOf, type Query } from './queries';

/** Checks that rules and dashboards refer to existing metrics, labels, values, and sections of the runbook. */
const rules = alertRules();
const alerts = [...new Set(rules.flatMap(({ alert }) => alert ?? []))];
const queries = queriesOf();

interface RuleTests {
  tests: { alert_rule_test: { alertname: string; exp_alerts?: { exp_labels: object }[] }[] }[];
}
const yaml = (file: string): unknown => parse(readFileSync(`infra/observability/prometheus/${file}`, 'utf8'));
const tested = (yaml('alerts.test.yml') as RuleTests).tests.flatMap(({ alert_rule_test }) => alert_rule_test);
const { scrape_configs } = yaml('prometheus.yml') as { scrape_configs: { job_name: string }[] };

/** Labels by series, without those that Prometheus adds. */
const series = new Map<string, readonly string[]>([
  ['up', []],
  ['ALERTS', ['alertname', 'alertstate', 'severity']],
]);
const metrics = new Metrics().registry.getMetricsAsArray() as unknown as {
  name: string;
  type: string;
  labelNames: string[];
}[];
for (const { name, type, labelNames } of metrics) {
  if (type !== 'histogram') series.set(name, labelNames);
  else for (const end of ['bucket', 'sum', 'count']) series.set(`${name}_${end}`, [...labelNames, 'le']);
}
for (const { record, expr } of rules) if (record !== undefined) series.set(record, groupedBy(expr));
const EVERYWHERE = ['job', 'instance', 'service'];

/** Possible values of labels for which there is a list. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  job: scrape_configs.map(({ job_name }) => job_name),
  'moorage_alerts_open kind': Object.keys(ALERT_MESSAGES),
  'moorage_deployments status': DEPLOYMENT_STATUSES,
  'moorage_security_events_total kind': Object.keys(SECURITY_EVENTS),
};

function groupedBy(expression: string): string[] {
  return [...expression.matchAll(/\b(?:by|without|on|ignoring) ?\(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(',').map((label) => label.trim()),
  );
}

/** Parses the series in an expression with their matchers, such as `up{job="api"}`. */
function selectorsOf(expression: string): { name: string; matchers: [label: string, value: string][] }[] {
  const bare = expression.replace(/\[[^\]]*\]|\boffset \w+|\b(?:by|without|on|ignoring) ?\([^)]*\)/g, '');
  return [...bare.matchAll(/"[^"]*"|\b([a-zA-Z_][\w:]*)\b(?!\s*\()(?:\{([^}]*)\})?/g)]
    .filter(([, name]) => name !== undefined && !['and', 'or', 'unless'].includes(name))
    .map(([, name = '', matchers = '']) => ({
      name,
      matchers: [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', value = '']) => [
        label,
        value,
      ]),
    }));
}

function wrongNames({ from, expression }: Query): string[] {
  const selectors = selectorsOf(expression);
  const isOfNode = (name: string): boolean => /^(process|nodejs)_/.test(name);
  const labelsOf = (name: string): readonly string[] => [...EVERYWHERE, ...(series.get(name) ?? [])];
  const wrong = selectors.flatMap(({ name, matchers }) => [
    ...(series.has(name) || isOfNode(name) ? [] : [name]),
    ...matchers.filter(([label]) => !labelsOf(name).includes(label)).map(([label]) => `${name}{${label}}`),
    ...matchers.flatMap(([label, value]) => {
      const values = VALUES[`${name} ${label}`] ?? VALUES[label];
      return values === undefined ? [] : value.split('|').filter((one) => !values.includes(one));
    }),
  ]);
  const labels = selectors.flatMap(({ name }) => labelsOf(name));
  return [...wrong, ...groupedBy(expression).filter((label) => !labels.includes(label))].map(
    (name) => `${from}: ${name}`,
  );
}

describe('query expression', () => {
  it('uses existing series, labels and values', () => {
    expect(queries.length).toBeGreaterThan(50);
    expect(queries.flatMap(wrongNames)).toEqual([]);
  });

  it.each([
    ['max(moorage_nothing)', 'moorage_nothing'],
    ['rate(moorage_http_request_duration_seconds[5m])', 'moorage_http_request_duration_seconds'],
    ['max(moorage_deployments{state="READY"})', 'moorage_deployments{state}'],
    ['max(moorage_deployments{status=~"READY|GONE"})', 'GONE'],
    ['max by (nothing) (moorage_deployments)', 'nothing'],
    ['up{job="gateway"}', 'gateway'],
  ])('is reported as wrong: %s', (expression, name) => {
    expect(wrongNames({ from: 'here', expression })).toEqual([`here: ${name}`]);
  });
});

describe('every alert', () => {
  it('states its severity and its runbook section', () => {
    for (const { alert, labels, annotations } of rules) {
      if (alert === undefined) continue;
      expect(labels?.severity).toMatch(/^(page|ticket)$/);
      expect(Object.keys(annotations ?? {}).sort()).toEqual(['description', 'runbook', 'summary']);
      expect(annotations?.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    }
  });

  it('has a section in the runbook, which has no others', () => {
    const [, sections = ''] = readFileSync('docs/runbook.md', 'utf8').split('\n## Alert rules\n');
    const [section = ''] = sections.split('\n## ');
    expect([...section.matchAll(/^### (.+)$/gm)].map(([, name]) => name).sort()).toEqual([...alerts].sort());
  });

  it('is tested both firing and not firing', () => {
    const firing = tested.filter(({ exp_alerts = [] }) => exp_alerts.length > 0).map(({ alertname }) => alertname);
    const silent = tested.filter(({ exp_alerts = [] }) => exp_alerts.length === 0).map(({ alertname }) => alertname);
    expect([...new Set(firing)].sort()).toEqual([...alerts].sort());
    expect([...new Set(silent)].sort()).toEqual([...alerts].sort());
  });
});

describe('every dashboard', () => {
  it('has its own UID and the format that Grafana accepts', () => {
    expect(new Set(dashboards().map(({ uid }) => uid)).size).toBe(3);
    expect(dashboards().filter(({ schemaVersion }) => schemaVersion < 39)).toEqual([]);
  });

  it('has panels with an id, a title, a unit and the data source of the stack', () => {
    for (const { panels } of dashboards()) {
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      expect(panels.filter(({ title }) => title === '')).toEqual([]);
      const shown = panels.filter(({ type }) => type !== 'row');
      expect(shown.filter(({ fieldConfig }) => (fieldConfig?.defaults.unit ?? '') === '')).toEqual([]);
      expect(shown.filter(({ datasource }) => datasource?.uid !== 'prometheus')).toEqual([]);
      expect(shown.filter(({ targets = [] }) => targets.length === 0)).toEqual([]);
    }
  });
});
