import { OWN_SERVER } from '@moorage/domain';
import { Link } from 'react-router-dom';
import type { OpenIncidents } from '../../data/watch';
import { useText } from '../../texts/console-i18n';
import { DataTable } from '../../ui/data-table';
import { Instant } from '../../ui/instant';
import { MessageText } from '../../ui/message-text';

type Row = OpenIncidents['incidents'][number];
const Column = DataTable.Col<Row>;

/** Open incidents, each with its deployment, its owner and its remedy. */
export function IncidentTable({
  incidents,
  packageName,
  nameOf,
}: {
  incidents: readonly Row[];
  packageName: (name: string) => string;
  nameOf: (provider: string) => string;
}) {
  const t = useText();
  return (
    <DataTable label={t('incidents.admin.list')} rows={incidents}>
      <Column
        label={t('incidents.admin.deployment')}
        render={({ deployment: { id, client_name: name, package: pack, cloud_provider: cloud } }) => (
          <span className="who">
            <Link className="name" to={`/deployments/${id}/metrics`}>
              {name === '' ? `deployment-${id}` : name}
            </Link>
            <span className="small muted">
              {t('incidents.admin.place', { package: packageName(pack), provider: nameOf(cloud ?? OWN_SERVER) })}
            </span>
          </span>
        )}
      />
      <Column
        label={t('incidents.admin.owner')}
        render={({ deployment: { user_id: id, username } }) => (
          <Link className="name plain" to={`/users/${id}/show`}>
            {username}
          </Link>
        )}
      />
      <Column
        label={t('incidents.admin.kind')}
        render={({ kind, severity, message }) => (
          <span className="who">
            <span className={severity === 'alarm' ? 'tag port' : 'tag brass'}>{t(`incidents.kind.${kind}`)}</span>
            <span>
              <MessageText message={message} />
            </span>
          </span>
        )}
      />
      <Column label={t('incidents.admin.began')} render={({ began_at: at }) => <Instant iso={at} />} />
      <Column label={t('incidents.admin.remedy')} render={({ remedy }) => <MessageText message={remedy} />} />
    </DataTable>
  );
}
