import { ChangeDomain } from '../settings/change-domain';
import { OpenAction } from '../page/header-action';
import { usePage } from '../page/page-context';
import { DnsError } from '../activity/timeline';
import { AddressSection } from './address-section';
import { DnsRecords } from './dns-records';
import { OwnServerScript } from './own-server-script';
import { SecretsSection } from './secrets-section';
import { SignInSection } from './sign-in-section';

/** Address, login, DNS records and certificates of the deployment, and the script for the owner's server. */
export default function AccessTab() {
  const { details } = usePage();
  if (details === undefined) return null;
  const { deployment } = details;
  return (
    <div className="deployment-cols">
      <div>
        {details.hasScript ? <OwnServerScript deployment={deployment} open={details.needsScript} /> : null}
        <DnsRecords details={details}>
          <ChangeDomain deployment={deployment} />
        </DnsRecords>
        <DnsError details={details} />
        {details.runs ? <SignInSection deployment={deployment} /> : null}
        <SecretsSection deployment={deployment} />
      </div>
      <aside>
        <AddressSection deployment={deployment} />
      </aside>
      <OpenAction deployment={deployment} />
    </div>
  );
}
