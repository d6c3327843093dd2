import { envValuesOf, wantedNames } from '@moorage/domain';
import { usePackageConfig } from '../../../data/catalogue';
import { type Deployment, useConfiguration } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { bothForms } from '../../../ui/both-forms';
import { CopyButton } from '../../../ui/copy-button';
import { CreateRecordsButton } from '../access/create-records';
import { envOf } from './configuration-values';
import './missing-records.css';

/** Lists the DNS records that other values need, besides those that exist for the current values. */
export function MissingRecords({
  deployment,
  changes,
}: {
  deployment: Deployment;
  /** Changed values by env name. An empty value is removed. */
  changes: Readonly<Record<string, string>>;
}) {
  const t = useText();
  const { data: config } = usePackageConfig(deployment.package);
  const { data: stored } = useConfiguration(deployment.id);
  const address = deployment.instance_ip ?? deployment.vps_ip_address;
  if (config === undefined || stored === undefined || address === null) return null;
  const plain = Object.fromEntries(
    stored.values.flatMap(({ field, value, is_set: isSet }) => (isSet ? [[envOf(field), value ?? 'set']] : [])),
  );
  const values = envValuesOf({ ...deployment, config: plain });
  const hostsOf = (given: Readonly<Record<string, string>>): string[] =>
    wantedNames(config, given).flatMap(({ host, row }) => (row.required ? [host] : []));
  const known = hostsOf(values);
  const missing = hostsOf({ ...values, ...changes }).filter((host) => !known.includes(host));
  if (missing.length === 0) return null;
  return (
    <div className="missing-records">
      <p className="small">{t('configuration.records')}</p>
      <ul>
        {missing.map((host) => (
          <li key={host}>
            <span className="small muted">{t('configuration.record')}</span>
            <span className="mono anywhere">{bothForms(host)}</span>
            <CopyButton value={host} what={host} />
            <span className="mono">{address}</span>
            <CopyButton value={address} what={address} />
          </li>
        ))}
      </ul>
      <CreateRecordsButton deployment={deployment} domain={changes.DOMAIN ?? null} />
    </div>
  );
}
