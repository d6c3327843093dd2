import type { StaleBackupAnswer } from '@moorage/contracts';
import { CircleCheck, ClockAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import { SectionCard, Loaded } from '../../ui/card';
import { Instant } from '../../ui/instant';
import { DataTable } from '../../ui/data-table';
import { ApiError } from '../../data/errors';
import { useRead } from '../../data/use-read';
import { useCatalogueNames } from '../../data/catalogue';
import { useText } from '../../texts/console-i18n';
import { MessageText } from '../../ui/message-text';
import './stale-backups-card.css';

type Row = StaleBackupAnswer & { readonly id: number };
const Column = DataTable.Col<Row>;

/** Deployments with backups whose newest copy is older than 36 hours, oldest first. */
export function StaleBackupsCard() {
  const t = useText();
  const query = useRead('admin-deployments', 'GET /admin/stale-backups', {});
  const clouds = (query.data ?? []).flatMap(({ cloud_provider: cloud }) => (cloud === null ? [] : [cloud]));
  const names = useCatalogueNames([...new Set(clouds)].sort());
  // The list below shows this error with a link to the setup.
  if (query.error instanceof ApiError && query.error.code === 'TWO_FACTOR_REQUIRED') return null;
  return (
    <SectionCard id="stale-backups" title={t('backups.stale.title')}>
      <Loaded query={query} failed={t('backups.stale.failed')}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="pad row soft">
              <CircleCheck size={16} aria-hidden="true" className="good" />
              {t('backups.stale.none')}
            </p>
          ) : (
            <>
              <p className="pad row">
                <ClockAlert size={16} aria-hidden="true" className="bad" />
                {t('backups.stale.some', { smart_count: rows.length })}
              </p>
              <DataTable label={t('backups.stale.title')} rows={rows.map((row) => ({ ...row, id: row.deployment_id }))}>
                <Column
                  label={t('backups.stale.name')}
                  render={({ id, client_name: name }) => (
                    <Link className="name" to={`/deployments/${id}/backups`}>
                      {name === '' ? `deployment-${id}` : name}
                    </Link>
                  )}
                />
                <Column label={t('backups.stale.owner')} render={({ username }) => username} />
                <Column label={t('backups.stale.level')} render={({ support_level: level }) => level} />
                <Column
                  label={t('backups.stale.place')}
                  render={({ cloud_provider: cloud, package: pack }) =>
                    `${names.packageName(pack)}, ${cloud === null ? t('deployments.byovps') : names.providerName(cloud)}`
                  }
                />
                <Column
                  label={t('backups.stale.newest')}
                  render={({ newest_at: at }) => (at === null ? t('backups.stale.never') : <Instant iso={at} />)}
                />
                <Column
                  label={t('backups.stale.reason')}
                  render={({ failure }) => (failure === null ? null : <MessageText message={failure} />)}
                />
              </DataTable>
            </>
          )
        }
      </Loaded>
    </SectionCard>
  );
}
