import { TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import type { Metrics } from '../../../data/watch';
import { useText } from '../../../texts/console-i18n';
import { byteSize } from '../../../ui/bytes';
import { MessageText } from '../../../ui/message-text';
import { ChartCard } from './chart-card';
import { bytesOf, loadText, percentText, responseText, sizeText } from './figures';
import { seriesOf } from './series';

type Point = Metrics['points'][number];
type Host = NonNullable<Metrics['latest']['host']>;

const responseOf = ({ response_ms: ms }: Point) => ms;
const cpuOf = ({ cpu_percent: percent }: Point) => percent;
const memoryOf = ({ memory_used_mb: mb }: Point) => (mb === null ? null : bytesOf(mb));
const diskOf = ({ disk_used_mb: mb }: Point) => (mb === null ? null : bytesOf(mb));

const NONE = '–';
const orNone = (value: number | null, format: (value: number) => string): string =>
  value === null ? NONE : format(value);
/** Largest containers named in the sentence about memory. */
const CONTAINERS_SHOWN = 3;

/** Charts of the period: response time, CPU, memory and disk. */
export function Charts({ metrics }: { metrics: Metrics }) {
  const { host_failure: failure } = metrics.latest;
  return (
    <>
      {failure === null ? null : (
        <div className="note brass" role="status">
          <TriangleAlert size={16} aria-hidden="true" />
          <p>
            <MessageText message={failure} />
          </p>
        </div>
      )}
      <div className="charts">
        <ResponseChart metrics={metrics} />
        <CpuChart metrics={metrics} />
        <MemoryChart metrics={metrics} />
        <DiskChart metrics={metrics} />
      </div>
    </>
  );
}

/** Returns the line of a figure. It is the same object until new figures arrive, so that the chart is not redrawn. */
const useSeries = (metrics: Metrics, figure: (point: Point) => number | null) =>
  useMemo(() => seriesOf(metrics, figure), [metrics, figure]);

/** Returns why a chart is empty. The first figures of a server arrive with its first checks. */
function useEmpty({ points, latest }: Metrics): string {
  const t = useText();
  const isNew = points.length === 0 && latest.checked_at === null;
  return t(isNew || (latest.host === null && latest.host_failure === null) ? 'metrics.none_yet' : 'metrics.none');
}

function ResponseChart({ metrics }: { metrics: Metrics }) {
  const t = useText();
  const series = useSeries(metrics, responseOf);
  const { points, latest } = metrics;
  const [checks, failed] = points.reduce(
    ([all, missed], point) => [all + point.checks, missed + point.failed] as const,
    [0, 0] as readonly [number, number],
  );
  return (
    <ChartCard
      id="response"
      title={t('metrics.response')}
      latest={
        latest.checked_at === null
          ? null
          : latest.response_ms === null
            ? t('metrics.no_response')
            : responseText(latest.response_ms)
      }
      metrics={metrics}
      series={series}
      format={responseText}
      columns={[
        { label: t('metrics.median'), of: (point) => orNone(point.response_ms, responseText) },
        { label: t('metrics.checks'), of: (point) => String(point.checks) },
        { label: t('metrics.without_response'), of: (point) => String(point.failed) },
      ]}
      empty={t(latest.checked_at === null ? 'metrics.none_yet' : 'metrics.none')}
    >
      {failed === 0 ? null : t('metrics.unanswered', { smart_count: failed, checks })}
    </ChartCard>
  );
}

function CpuChart({ metrics }: { metrics: Metrics }) {
  const t = useText();
  const { host } = metrics.latest;
  return (
    <ChartCard
      id="cpu"
      title={t('metrics.cpu')}
      latest={host?.cpu_percent == null ? null : percentText(host.cpu_percent)}
      metrics={metrics}
      series={useSeries(metrics, cpuOf)}
      max={100}
      format={percentText}
      columns={[
        { label: t('metrics.share'), of: (point) => orNone(point.cpu_percent, percentText) },
        { label: t('metrics.load'), of: (point) => orNone(point.load, loadText) },
      ]}
      empty={useEmpty(metrics)}
    >
      {host === null ? null : t('metrics.cpus', { smart_count: host.cpus })}
    </ChartCard>
  );
}

function MemoryChart({ metrics }: { metrics: Metrics }) {
  const t = useText();
  const { host } = metrics.latest;
  const list = host === null ? '' : largestOf(host.containers);
  return (
    <ChartCard
      id="memory"
      title={t('metrics.memory')}
      latest={
        host === null
          ? null
          : t('metrics.used_of', { used: sizeText(host.memory_used_mb), all: sizeText(host.memory_mb) })
      }
      metrics={metrics}
      series={useSeries(metrics, memoryOf)}
      max={host === null ? undefined : bytesOf(host.memory_mb)}
      format={byteSize}
      columns={[{ label: t('metrics.used'), of: (point) => orNone(point.memory_used_mb, sizeText) }]}
      empty={useEmpty(metrics)}
    >
      {list === '' ? null : t('metrics.containers', { list })}
    </ChartCard>
  );
}

function largestOf(containers: Host['containers']): string {
  return containers
    .flatMap(({ name, memory_mb: mb }) => (mb === null ? [] : [{ name, mb }]))
    .sort((a, b) => b.mb - a.mb)
    .slice(0, CONTAINERS_SHOWN)
    .map(({ name, mb }) => `${name} ${sizeText(mb)}`)
    .join(', ');
}

function DiskChart({ metrics }: { metrics: Metrics }) {
  const t = useText();
  const { host, disk_full_in_days: days } = metrics.latest;
  return (
    <ChartCard
      id="disk"
      title={t('metrics.disk')}
      latest={
        host === null ? null : t('metrics.used_of', { used: sizeText(host.disk_used_mb), all: sizeText(host.disk_mb) })
      }
      metrics={metrics}
      series={useSeries(metrics, diskOf)}
      max={host === null ? undefined : bytesOf(host.disk_mb)}
      format={byteSize}
      columns={[{ label: t('metrics.used'), of: (point) => orNone(point.disk_used_mb, sizeText) }]}
      empty={useEmpty(metrics)}
    >
      {days === null ? null : days < 1 ? t('metrics.full_now') : t('metrics.full', { smart_count: days })}{' '}
      {host === null || host.logs_mb === 0 ? null : t('metrics.logs', { size: sizeText(host.logs_mb) })}
    </ChartCard>
  );
}
