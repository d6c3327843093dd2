import type { DnsRecordAnswer } from '@moorage/contracts';
import { CircleCheck, Radar, Signpost } from 'lucide-react';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { CopyButton } from '../../../ui/copy-button';
import { isRightAt } from './resolver-answers';

/** A record with its values to copy, and what was found at the last check. */
export function RecordRow({ record }: { record: DnsRecordAnswer }) {
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
