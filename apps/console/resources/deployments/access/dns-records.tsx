import type { DeploymentDnsAnswer } from '@moorage/contracts';
import { MessageSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { useConsoleSettings } from '../../../data/brand';
import { useServerNow } from '../../../data/server-now';
import { useText } from '../../../texts/console-i18n';
import { ago, duration } from '../../../ui/dates';
import { CopyTextButton } from '../../../ui/copy-button';
import { useCopied } from '../../../ui/use-copied';
import { CertificateLine } from './certificates';
import { CreateRecordsButton } from './create-records';
import { RecordRow } from './dns-record-row';
import { ResolverAnswers } from './resolver-answers';
import { Section } from '../section';
import type { Details } from '../use-details';
import { bothForms } from '../../../ui/both-forms';
import { Button } from '../../../ui/button';
import './dns-records.css';

/** DNS records with their values to copy, the results of the last check, and the certificate of each name. */
export function DnsRecords({ details, children }: { details: Details; children?: ReactNode }) {
  const t = useText();
  const { deployment, withRecords, setsUp: waits } = details;
  const { data: dns, dataUpdatedAt: arrivedAt } = details.dns;
  if (!withRecords || dns === undefined) return null;
  if (dns.managed) return <ManagedRecords details={details} dns={dns} />;
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
      {dns.all_right ? null : <p className="hint">{t('deployments.dns.where', { domain: bothForms(dns.domain) })}</p>}
      {lines.length === 0 ? null : (
        <div className="row wrap">
          {dns.all_right ? null : (
            <CreateRecordsButton deployment={deployment} hasOptional={dns.records.some(({ required }) => !required)} />
          )}
          <CopyMessage domain={dns.domain} lines={lines} />
          <span className="small muted">{t('deployments.dns.copy_message_hint')}</span>
        </div>
      )}
      {dns.records.some(({ seen }) => seen.length > 0) ? <ResolverAnswers records={dns.records} /> : null}
      {children}
    </Section>
  );
}

/** A name below the platform's domain. Its owner has no records to set. */
function ManagedRecords({ details, dns }: { details: Details; dns: DeploymentDnsAnswer }) {
  const t = useText();
  const { name } = useConsoleSettings().brand;
  return (
    <Section className="dns-sec" title={t('deployments.dns.title')}>
      <p className="hint">{t('deployments.dns.managed', { name })}</p>
      {dns.records.map(({ fqdn, certificate }) =>
        certificate === null ? null : (
          <div key={fqdn}>
            <span className="mono small">{fqdn}</span>
            <CertificateLine certificate={certificate} status={details.deployment.status} />
          </div>
        ),
      )}
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
