import {
  DISK_FILLING_FROM,
  DISK_FULL_FROM,
  MEMORY_FULL_FROM,
  RENEWED_BEFORE_DAYS,
  SLOW_FROM_MS,
} from '@moorage/domain';
import type { Deployment } from '../../../data/deployments';
import type { Metrics } from '../../../data/watch';
import { type ConsoleTextKey, useText } from '../../../texts/console-i18n';
import { shortInstant } from '../../../ui/dates';
import { percentText, reachableText, responseText, sizeText } from '../metrics/figures';
import { pageOf } from '../tabs';

type Figure = 'response' | 'cpu' | 'memory' | 'disk' | 'certificate';
export type Tone = 'good' | 'warning' | 'alarm';

export interface HealthFigure {
  readonly figure: Figure;
  readonly label: string;
  readonly value: string;
  /** Meaning of the value. */
  readonly note: string | null;
  readonly tone: Tone;
  /** Chart of the figure. The certificates are on another tab. */
  readonly to: string;
  /** Last 24 hours, with the highest value of its scale, or null if there is no line. */
  readonly line: {
    readonly of: (point: Metrics['points'][number]) => number | null;
    readonly max: number | null;
    readonly format: (value: number) => string;
  } | null;
}

type Said = Pick<HealthFigure, 'value' | 'note' | 'tone'>;
type Text = ReturnType<typeof useText>;
type Latest = Metrics['latest'];

/** Returns the five figures of a deployment's health, with their words and how serious they are. */
export function useHealth(
  { id, reachability }: Pick<Deployment, 'id' | 'reachability'>,
  { latest }: Metrics,
  { percent, now }: { readonly percent: number | null; readonly now: number },
): readonly HealthFigure[] {
  const t = useText();
  const { host } = latest;
  const chart = (figure: Figure): Pick<HealthFigure, 'figure' | 'label' | 'to'> => ({
    figure,
    label: t(LABEL[figure]),
    to: figure === 'certificate' ? pageOf(id, 'access') : `${pageOf(id, 'metrics')}#${figure}`,
  });
  const unreachableSince = reachability?.state === 'unreachable' ? (reachability.since ?? latest.checked_at) : null;
  return [
    {
      ...chart('response'),
      ...responseSaid(t, latest, { percent, since: unreachableSince, now }),
      line: { of: ({ response_ms: ms }) => ms, max: null, format: responseText },
    },
    {
      ...chart('cpu'),
      ...(host?.cpu_percent == null
        ? unknown(t)
        : good(percentText(host.cpu_percent), t('metrics.health.vcpu', { smart_count: host.cpus }))),
      line: { of: ({ cpu_percent: cpu }) => cpu, max: 100, format: percentText },
    },
    {
      ...chart('memory'),
      ...memorySaid(t, host),
      line: { of: ({ memory_used_mb: mb }) => mb, max: host?.memory_mb ?? null, format: sizeText },
    },
    {
      ...chart('disk'),
      ...diskSaid(t, host),
      line: { of: ({ disk_used_mb: mb }) => mb, max: host?.disk_mb ?? null, format: sizeText },
    },
    { ...chart('certificate'), ...certificateSaid(t, latest.certificate), line: null },
  ];
}

const LABEL: Readonly<Record<Figure, ConsoleTextKey>> = {
  response: 'metrics.health.response',
  cpu: 'metrics.cpu',
  memory: 'metrics.memory',
  disk: 'metrics.disk',
  certificate: 'metrics.health.certificate',
};

const good = (value: string, note: string | null = null): Said => ({ value, note, tone: 'good' });
const unknown = (t: Text): Said => good('–', t('metrics.health.unknown'));

function responseSaid(
  t: Text,
  { checked_at: checkedAt, response_ms: ms }: Latest,
  { percent, since, now }: { percent: number | null; since: string | null; now: number },
): Said {
  const share = percent === null ? null : reachableText(percent);
  if (since !== null)
    return {
      value: t('metrics.no_response'),
      note: t('metrics.health.down', { date: shortInstant(since, now) }),
      tone: 'alarm',
    };
  if (checkedAt === null) return unknown(t);
  // One failed check is no incident yet.
  if (ms === null) return { value: t('metrics.no_response'), note: t('metrics.health.missed'), tone: 'warning' };
  if (ms >= SLOW_FROM_MS)
    return {
      value: responseText(ms),
      note: share === null ? t('metrics.health.slow_only') : t('metrics.health.slow', { percent: share }),
      tone: 'warning',
    };
  return good(responseText(ms), share === null ? null : t('metrics.health.reachable', { percent: share }));
}

/** Returns the share in whole percent, cut as for the incidents. */
const shareOf = (used: number, all: number): number => (all <= 0 ? 0 : Math.floor((100 * used) / all));

function memorySaid(t: Text, host: Latest['host']): Said {
  if (host === null) return unknown(t);
  const [value, all] = [sizeText(host.memory_used_mb), sizeText(host.memory_mb)];
  return shareOf(host.memory_used_mb, host.memory_mb) >= MEMORY_FULL_FROM
    ? { value, note: t('metrics.health.memory_full', { all }), tone: 'warning' }
    : good(value, t('metrics.health.of', { all }));
}

function diskSaid(t: Text, host: Latest['host']): Said {
  if (host === null) return unknown(t);
  const [value, all] = [sizeText(host.disk_used_mb), sizeText(host.disk_mb)];
  const share = shareOf(host.disk_used_mb, host.disk_mb);
  if (share >= DISK_FULL_FROM) return { value, note: t('metrics.health.disk_full', { all }), tone: 'alarm' };
  if (share >= DISK_FILLING_FROM) return { value, note: t('metrics.health.disk_filling', { all }), tone: 'warning' };
  return good(value, t('metrics.health.of', { all }));
}

function certificateSaid(t: Text, certificate: Latest['certificate']): Said {
  if (certificate === null) return unknown(t);
  const { verdict, days_left: days } = certificate;
  const warns = t('metrics.health.browsers_warn');
  switch (verdict) {
    case 'expired':
      return { value: t('metrics.health.expired'), note: warns, tone: 'alarm' };
    case 'not_issued':
      return { value: t('metrics.health.missing'), note: warns, tone: 'alarm' };
    case 'wrong_issuer':
    case 'staging':
    case 'wrong_name':
      return { value: t('metrics.health.wrong'), note: t('metrics.health.wrong_name'), tone: 'alarm' };
    case 'unreachable':
      return good(days === null ? '–' : t('metrics.health.days', { smart_count: days }), t('metrics.health.unread'));
    case 'good':
    case 'expires_soon': {
      if (days === null) return unknown(t);
      const value = t('metrics.health.days', { smart_count: days });
      return days < RENEWED_BEFORE_DAYS
        ? { value, note: t('metrics.health.not_renewed'), tone: 'warning' }
        : good(value, t('metrics.health.renews'));
    }
  }
}
