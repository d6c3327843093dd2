import type { DeploymentDnsAnswer, DnsRecordAnswer } from '@moorage/contracts';
import { CircleCheck, MessageSquare, Radar, Signpost } from 'lucide-react';
import type { ReactNode } from 'react';
import { useServerNow } from '../../../data/server-now';
import { useText } from '../../../texts/console-i18n';
import { ago, duration } from '../../../ui/dates';
import { CopyButton, CopyTextButton } from '../../../ui/copy-button';
import { useCopied } from '../../../ui/use-copied';
import { messageText } from '../../../texts/locale';
import { CertificateLine } from './certificates';
import { Section } from '../section';
import type { Details } from '../use-details';
import { bothForms } from '../../../ui/both-forms';
import { Button } from '../../../ui/button';

const isRightAt = ({ value }: DnsRecordAnswer, values: readonly string[]): boolean =>
  value !== null && values.length > 0 && values.every((one) => one.toLowerCase() === value.toLowerCase());

/** DNS records with their values to copy, the results of the last check, and the certificate of each name. */
export function DnsRecords({ details, children }: { details: Details; children?: ReactNode }) {
  const t = useText();
  const { deployment, withRecords, setsUp: waits } = details;
  const { data: dns, dataUpdatedAt: arrivedAt } = details.dns;
  if (!withRecords || dns === undefined) return null;
  const lines = dns.records
    .filter(({ value }) => value !== null)
    .map(({ fqdn, type, value }) => `${fqdn}. ${type} ${value ?? ''}`);
  return (
    <Section
      className="dns-sec"
      title={t('deployments.dns.title')}
      note={<Checked dns={dns} arrivedAt={arrivedAt} waits={waits} />}
      aside={
        lines.length === 0 ? null : <CopyTextButton value={lines.join('\n')} label={t('deployments.dns.copy_all')} />
      }
    >
      <div className="dns">
        <table className="t">
          <thead>
            <tr>
              <th>{t('deployments.dns.type')}</th>
              <th>{t('deployments.dns.name')}</th>
              <th>{t('deployments.dns.value')}</th>
              <th className="num">{t('deployments.dns.seen')}</th>
            </tr>
          </thead>
          {dns.records.map((record) => (
            <tbody key={`${record.type} ${record.fqdn}`}>
              <RecordRow record={record} />
              {record.certificate === null ? null : (
                <tr className="of-certificate">
                  <td />
                  <td colSpan={3}>
                    <CertificateLine certificate={record.certificate} status={deployment.status} />
                  </td>
                </tr>
              )}
            </tbody>
          ))}
        </table>
      </div>
      <p className="hint">{t('deployments.dns.where', { domain: bothForms(dns.domain) })}</p>
      {lines.length === 0 ? null : (
        <div className="row wrap">
          <CopyMessage domain={dns.domain} lines={lines} />
          <span className="small muted">{t('deployments.dns.copy_message_hint')}</span>
        </div>
      )}
      {dns.records.some(({ seen }) => seen.length > 0) ? <WhatResolversSee records={dns.records} /> : null}
      {children}
    </Section>
  );
}

function Checked({ dns, arrivedAt, waits }: { dns: DeploymentDnsAnswer; arrivedAt: number; waits: boolean }) {
  const t = useText();
  const now = useServerNow(dns.now, arrivedAt, 1_000);
  const parts: string[] = [];
  if (dns.checked_at !== null) parts.push(t('deployments.dns.checked', { ago: ago(dns.checked_at, now) }));
  if (waits && dns.next_check_at !== null) {
    const left = Date.parse(dns.next_check_at) - now;
    parts.push(left > 0 ? t('deployments.dns.next_check', { left: duration(left) }) : t('deployments.dns.next_now'));
  }
  return <>{parts.join(', ')}</>;
}

function RecordRow({ record }: { record: DnsRecordAnswer }) {
  const t = useText();
  const { type, name, value, required, reason, certificate } = record;
  return (
    <tr className={certificate === null ? 'record' : 'record and-certificate'}>
      <td className="mono">{type}</td>
      <td>
        <span className="row tight">
          <span className="mono" title={record.fqdn}>
            {name}
          </span>
          <CopyButton value={name} what={name} />
        </span>
        {required ? null : <span className="sub">{t('deployments.dns.optional')}</span>}
      </td>
      <td>
        {value === null ? (
          <span className="muted">{t('deployments.dns.pending_value')}</span>
        ) : (
          <span className="row tight">
            <span className="mono nowrap">{value}</span>
            <CopyButton value={value} what={value} />
          </span>
        )}
      </td>
      <td className="num small" title={reason === null ? undefined : messageText(reason)}>
        <Seen record={record} />
      </td>
    </tr>
  );
}

function Seen({ record }: { record: DnsRecordAnswer }) {
  const t = useText();
  const { right, required, seen } = record;
  const rightOnes = seen.filter(({ values }) => isRightAt(record, values)).length;
  const count = t('deployments.dns.seen_by', { right: rightOnes, of: seen.length });
  if (right) return <Sign tone="good" text={t('deployments.dns.right', { count })} />;
  if (seen.length === 0) return <Sign tone="busy" text={t('deployments.dns.not_yet')} />;
  if (rightOnes > 0) return <Sign tone="busy" text={t('deployments.dns.partly', { count })} />;
  const wrong = seen.flatMap(({ values, cname }) => (cname === null ? values : [cname]))[0];
  const words =
    wrong === undefined ? t('deployments.dns.no_answer') : t('deployments.dns.elsewhere', { address: wrong });
  return <Sign tone={required ? 'need' : 'off'} text={words} />;
}

const SIGNS = { good: CircleCheck, busy: Radar, need: Signpost, off: Radar };

function Sign({ tone, text }: { tone: keyof typeof SIGNS; text: string }) {
  const Icon = SIGNS[tone];
  return (
    <span className={`st ${tone}`}>
      <Icon size={16} aria-hidden="true" />
      <span>{text}</span>
    </span>
  );
}

function CopyMessage({ domain, lines }: { domain: string; lines: readonly string[] }) {
  const t = useText();
  const { copied, copy } = useCopied();
  const message = [
    t('deployments.dns.message_intro', { domain }),
    '',
    ...lines,
    '',
    t('deployments.dns.message_end'),
  ].join('\n');
  return (
    <Button size="small" onClick={() => copy(message)} icon={MessageSquare}>
      <span aria-live="polite">{copied ? t('layout.copied') : t('deployments.dns.copy_message')}</span>
    </Button>
  );
}

const ERRORS = ['NXDOMAIN', 'TIMEOUT', 'SERVFAIL', 'UNREACHABLE'] as const;

/** Current answers by name and resolver, verbatim. */
function WhatResolversSee({ records }: { records: readonly DnsRecordAnswer[] }) {
  const t = useText();
  const errorMessage = (error: string): string => {
    const known = ERRORS.find((one) => one === error);
    return known === undefined ? t('deployments.dns.error.other', { error }) : t(`deployments.dns.error.${known}`);
  };
  const resolverName = ({ resolver, kind }: DnsRecordAnswer['seen'][number]): string => {
    if (resolver === 'sandbox') return t('deployments.dns.resolver_sandbox');
    return kind === 'zone' ? t('deployments.dns.resolver_zone') : resolver;
  };
  return (
    <details className="seen">
      <summary>{t('deployments.dns.resolvers')}</summary>
      {records
        .filter(({ seen }) => seen.length > 0)
        .map((record) => (
          <div key={`${record.type} ${record.fqdn}`}>
            <p className="mono head">{record.fqdn}</p>
            <dl className="kv">
              {record.seen.map((seenBy) => (
                <div key={`${seenBy.kind} ${seenBy.resolver}`}>
                  <dt>{resolverName(seenBy)}</dt>
                  <dd className={isRightAt(record, seenBy.values) ? 'mono good' : 'mono'}>
                    {seenBy.error !== null
                      ? errorMessage(seenBy.error)
                      : [...(seenBy.cname === null ? [] : [seenBy.cname]), ...seenBy.values].join(', ') ||
                        t('deployments.dns.nothing')}
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
    </details>
  );
}
