import type { DeploymentDnsAnswer } from '@moorage/contracts';
import { Signpost } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../../texts/console-i18n';
import { bothForms } from '../../../ui/both-forms';
import { MessageText } from '../../../ui/message-text';
import type { Details } from '../use-details';

/** States how many DNS records the owner must correct, and where. `children` is a link to them. */
export function WrongRecordsNote({ dns, children }: { dns: DeploymentDnsAnswer; children?: ReactNode }) {
  const t = useText();
  const wrong = dns.records.filter(({ right, required }) => required && !right);
  return (
    <div className="note brass">
      <Signpost size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{t('deployments.dns.wrong', { smart_count: wrong.length })}</b>
        </p>
        <p className="soft anywhere">{t('deployments.dns.wrong_lead', { domain: bothForms(dns.domain) })}</p>
      </div>
      {children}
    </div>
  );
}

/** Reason why the records could not be validated, unless the records themselves show it. */
export function ValidationNote({ details }: { details: Details }) {
  const { failure, status } = details.deployment;
  if (status !== 'DNS_FAILED' || details.hasWrongRecords || details.isCertificateRefused || failure === null)
    return null;
  return (
    <div className="note brass">
      <Signpost size={16} aria-hidden="true" />
      <p>
        <MessageText message={failure} />
      </p>
    </div>
  );
}
