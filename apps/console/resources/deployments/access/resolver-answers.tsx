import type { DnsRecordAnswer } from '@moorage/contracts';
import { useText } from '../../../texts/console-i18n';

/** Returns whether a resolver's answer consists of the record's value only. */
export const isRightAt = ({ value }: DnsRecordAnswer, values: readonly string[]): boolean =>
  value !== null && values.length > 0 && values.every((one) => one.toLowerCase() === value.toLowerCase());

const ERRORS = ['NXDOMAIN', 'TIMEOUT', 'SERVFAIL', 'UNREACHABLE'] as const;

/** Current answers by name and resolver, verbatim. */
export function ResolverAnswers({ records }: { records: readonly DnsRecordAnswer[] }) {
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
